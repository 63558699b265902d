/** What can be said, by the files that it stands in: one for each room of the page and each language. */
import type companion from "./companion.en.json";
import type decks from "./decks.en.json";
import type limes from "./limes.en.json";
import type limit from "./limit.en.json";
import type page from "./page.en.json";
import type plain from "./plain.en.json";
import type replay from "./replay.en.json";
import type review from "./review.en.json";
import type rules from "./rules.en.json";
import type table from "./table.en.json";

interface Rooms {
  companion: typeof companion;
  decks: typeof decks;
  limes: typeof limes;
  limit: typeof limit;
  /** What every page says, and the start page. */
  page: typeof page;
  plain: typeof plain;
  replay: typeof replay;
  review: typeof review;
  rules: typeof rules;
  /** What is said at the table of any game. */
  table: typeof table;
}

export type Room = keyof Rooms;
export type MessageKey = { [R in Room]: keyof Rooms[R] }[Room];
