/** The games that the page knows. A game that is not registered here gets the generic interface. */
import type { GameUi } from "./gameUi";
import { limesUi } from "./limes";
import { limitUi } from "./limit";
import { genericUi } from "./generic";

const GAMES = new Map<string, GameUi>([
  ["limes", limesUi],
  ["limit", limitUi],
]);

/** Names of the registered games, in the order of the start page. */
export const GAME_NAMES: readonly string[] = [...GAMES.keys()];

export function gameUi(game: string): GameUi {
  return GAMES.get(game) ?? genericUi;
}
