/** What happened, in words, for those who hear the page. `LiveRegion.svelte` speaks it. */
import { untrack } from "svelte";

let announcement = $state<{ text: string; sequence: number }>({ text: "", sequence: 0 });

/** Say something after what is being said. */
export function announce(text: string): void {
  // Whoever speaks does not listen: an effect that announces must not run again because of it.
  announcement = { text, sequence: untrack(() => announcement.sequence) + 1 };
}

export function currentAnnouncement(): { text: string; sequence: number } {
  return announcement;
}
