/** The player's name, which this browser remembers. */
import { savePreference, loadPreference } from "./preferences";

export function loadPlayerName(): string {
  return loadPreference("name") ?? "";
}

export function savePlayerName(name: string): void {
  savePreference("name", name);
}
