/** The pages by path. */
import type { Component } from "svelte";
import type { Namespace } from "$lib/i18n/messages.svelte";
import Games from "./Games.svelte";
import NotFound from "./NotFound.svelte";
import Start from "./Start.svelte";

interface EagerPage {
  name: string;
  path: RegExp;
  /** The page, as a part of the first script. */
  component: Component;
}

interface LazyPage {
  name: string;
  /** The named groups are the properties of the page; null if the path does not have them. */
  path: RegExp;
  /** The message namespaces that the page uses. */
  namespaces: readonly Namespace[];
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- pages have different properties
  load: () => Promise<{ default: Component<any> }>;
}

type Page = EagerPage | LazyPage;

/** The first page whose path matches is shown. */
const PAGES: readonly Page[] = [
  { name: "start", path: /^\/$/, component: Start },
  { name: "games", path: /^\/games$/, component: Games },
  {
    name: "match",
    path: /^\/m\/(?<matchId>[\w-]{6,32})$/,
    namespaces: ["match", "review"],
    load: () => import("./Match.svelte"),
  },
  {
    name: "replay",
    path: /^\/replay(\/(?<matchId>[^/]+))?$/,
    namespaces: ["match", "replay", "review"],
    load: () => import("./Replay.svelte"),
  },
  {
    name: "rules",
    path: /^\/rules(\/(?<game>[^/]+))?$/,
    namespaces: ["match", "rules"],
    load: () => import("./Rules.svelte"),
  },
  {
    name: "decks",
    path: /^\/decks(\/(?<deckId>[\w-]{24}))?$/,
    namespaces: ["decks"],
    load: () => import("./Decks.svelte"),
  },
  { name: "learn", path: /^\/learn\/(?<game>[^/]+)$/, namespaces: ["match"], load: () => import("./Learn.svelte") },
  {
    name: "companion",
    path: /^\/companion(\/(?<game>[^/]+))?$/,
    namespaces: ["companion", "rules"],
    load: () => import("./Companion.svelte"),
  },
  {
    name: "try",
    path: /^\/try\/(?<game>[^/]+)\/(?<example>[^/]+)$/,
    namespaces: ["match", "rules"],
    load: () => import("./TryExample.svelte"),
  },
  { name: "not-found", path: /^/, component: NotFound },
];

/** Return the page at a path, and its properties. */
export function findPage(path: string): { page: Page; params: Record<string, string | null> } {
  const trimmed = path.replace(/\/+$/, "") || "/";
  const page = PAGES.find((page) => page.path.test(trimmed))!;
  const groups = Object.entries(page.path.exec(trimmed)?.groups ?? {});
  // A group that did not match is undefined at runtime.
  return { page, params: Object.fromEntries(groups.map(([name, value]: [string, string?]) => [name, value ?? null])) };
}
