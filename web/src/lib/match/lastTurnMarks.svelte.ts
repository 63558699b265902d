/** The option to mark the last turn on the board, which this browser remembers. */
import { savePreference, loadPreference } from "$lib/storage/preferences";

let enabled = $state(loadPreference("show-moves") !== "off");

export function areLastTurnMarksEnabled(): boolean {
  return enabled;
}

export function setLastTurnMarksEnabled(on: boolean): void {
  enabled = on;
  savePreference("show-moves", on ? "on" : "off");
}
