/** What can be said, by the files that it stands in: one for each namespace and each language. */
import type companion from "./companion.en.json";
import type decks from "./decks.en.json";
import type generic from "./generic.en.json";
import type limes from "./limes.en.json";
import type limit from "./limit.en.json";
import type match from "./match.en.json";
import type page from "./page.en.json";
import type replay from "./replay.en.json";
import type review from "./review.en.json";
import type rules from "./rules.en.json";

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
