/** Announcements for screen readers. `LiveRegion.svelte` renders them. */
import { untrack } from "svelte";

let announcement = $state<{ text: string; sequence: number }>({ text: "", sequence: 0 });

/** Announce a text after the current announcement. */
export function announce(text: string): void {
  // Untracked, so that an effect that announces does not depend on the announcement.
  announcement = { text, sequence: untrack(() => announcement.sequence) + 1 };
}

export function currentAnnouncement(): { text: string; sequence: number } {
  return announcement;
}
