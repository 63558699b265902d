/** How far somebody has come in learning a game, as this browser remembers it. */
import { remember, remembered } from "$lib/storage/preferences";

const key = (game: string) => `learn.${game}`;

/** Whether they were never asked: then the tutorial is offered. */
export function isNew(game: string): boolean {
  return remembered(key(game)) === null;
}

/** They do not want to be asked again. */
export function decline(game: string): void {
  if (isNew(game)) remember(key(game), "no");
}

/** The step they were at; the first if they never began or have come to the end. */
export function stepOf(game: string): string | null {
  const found = remembered(key(game));
  return found === null || found === "no" || found === "done" ? null : found;
}

/** They are at this step; null when they have come to the end. */
export function rememberStep(game: string, id: string | null): void {
  remember(key(game), id ?? "done");
}
