/** Whether the last turn is marked on the board, in play and in replays; this browser remembers it. */
import { remember, remembered } from "$lib/storage/preferences";

let shown = $state(remembered("show-moves") !== "off");

export function movesShown(): boolean {
  return shown;
}

export function showMoves(on: boolean): void {
  shown = on;
  remember("show-moves", on ? "on" : "off");
}
