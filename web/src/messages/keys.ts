/** The message keys by namespace. Each namespace is a file in the folder of each language. */
import type companion from "./en/companion.json";
import type decks from "./en/decks.json";
import type generic from "./en/generic.json";
import type limes from "./en/limes.json";
import type limit from "./en/limit.json";
import type match from "./en/match.json";
import type page from "./en/page.json";
import type replay from "./en/replay.json";
import type review from "./en/review.json";
import type rules from "./en/rules.json";

interface Namespaces {
  companion: typeof companion;
  decks: typeof decks;
  generic: typeof generic;
  limes: typeof limes;
  limit: typeof limit;
  /** Matches and lessons of any game. */
  match: typeof match;
  /** What every page says, and the start page. */
  page: typeof page;
  replay: typeof replay;
  review: typeof review;
  rules: typeof rules;
}

export type Namespace = keyof Namespaces;
export type MessageKey = { [N in Namespace]: keyof Namespaces[N] }[Namespace];
