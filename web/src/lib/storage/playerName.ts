/** The player's own name, remembered by this browser. */
import { savePreference, loadPreference } from "./preferences";

export function loadPlayerName(): string {
  return loadPreference("name") ?? "";
}

export function savePlayerName(name: string): void {
  savePreference("name", name);
}
