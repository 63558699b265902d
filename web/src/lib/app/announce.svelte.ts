/** What happened, in words, for those who hear the page. `LiveRegion.svelte` speaks it. */
import { untrack } from "svelte";

let said = $state<{ text: string; turn: number }>({ text: "", turn: 0 });

/** Say something after what is being said. */
export function announce(text: string): void {
  // Whoever speaks does not listen: an effect that announces must not run again because of it.
  said = { text, turn: untrack(() => said.turn) + 1 };
}

export function announced(): { text: string; turn: number } {
  return said;
}
