/** How far somebody has come in learning a game, as this browser remembers it. */
import { savePreference, loadPreference } from "$lib/storage/preferences";

const key = (game: string) => `learn.${game}`;

/** Whether they were never asked: then the tutorial is offered. */
export function shouldOfferTutorial(game: string): boolean {
  return loadPreference(key(game)) === null;
}

/** They do not want to be asked again. */
export function declineTutorial(game: string): void {
  if (shouldOfferTutorial(game)) savePreference(key(game), "no");
}

/** The step they were at; the first if they never began or have come to the end. */
export function loadTutorialStep(game: string): string | null {
  const found = loadPreference(key(game));
  return found === null || found === "no" || found === "done" ? null : found;
}

/** They are at this step; null when they have come to the end. */
export function saveTutorialStep(game: string, id: string | null): void {
  savePreference(key(game), id ?? "done");
}
