/** The one table of the page: what each game brings. One that brings nothing gets the plain table. */
import type { GameUi } from "./gameUi";
import { limesUi } from "./limes";
import { limitUi } from "./limit";
import { genericUi } from "./generic";

const GAMES = new Map<string, GameUi>([
  ["limes", limesUi],
  ["limit", limitUi],
]);

/** In the order they are offered. */
export const GAME_NAMES: readonly string[] = [...GAMES.keys()];

export function gameUi(game: string): GameUi {
  return GAMES.get(game) ?? genericUi;
}
