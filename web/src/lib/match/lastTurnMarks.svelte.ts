/** Whether the last turn is marked on the board, in play and in replays; this browser remembers it. */
import { savePreference, loadPreference } from "$lib/storage/preferences";

let shown = $state(loadPreference("show-moves") !== "off");

export function areLastTurnMarksEnabled(): boolean {
  return shown;
}

export function setLastTurnMarksEnabled(on: boolean): void {
  shown = on;
  savePreference("show-moves", on ? "on" : "off");
}
