/** The player's progress in tutorials, which this browser remembers. */
import { savePreference, loadPreference } from "$lib/storage/preferences";

const key = (game: string) => `learn.${game}`;

/** Return true if the player has neither begun nor declined the tutorial. */
export function shouldOfferTutorial(game: string): boolean {
  return loadPreference(key(game)) === null;
}

/** Do not offer the tutorial again. */
export function declineTutorial(game: string): void {
  if (shouldOfferTutorial(game)) savePreference(key(game), "no");
}

/** Return the id of the step to continue at; null to begin at the first. */
export function loadTutorialStep(game: string): string | null {
  const step = loadPreference(key(game));
  return step === "no" || step === "done" ? null : step;
}

/** Save the id of the current step; null after the last one. */
export function saveTutorialStep(game: string, stepId: string | null): void {
  savePreference(key(game), stepId ?? "done");
}
