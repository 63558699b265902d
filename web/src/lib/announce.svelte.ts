/** What happened, in words, for those who hear the page. `LiveRegion.svelte` speaks it. */
let said = $state<{ text: string; turn: number }>({ text: "", turn: 0 });

/** Say something after what is being said. */
export function announce(text: string): void {
  said = { text, turn: said.turn + 1 };
}

export function announced(): { text: string; turn: number } {
  return said;
}
