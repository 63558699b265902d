/** Pages that are loaded when their route is opened, with the message namespaces that they use. */
import type { Component } from "svelte";
import type { Route } from "$lib/app/router.svelte";
import type { Namespace } from "$lib/i18n/messages.svelte";

/** The pages that are part of the first script. */
type EagerPage = "start" | "games" | "not-found";
type PageProps<R extends Route> = Omit<R, "page">;

interface LazyPage<R extends Route> {
  namespaces: readonly Namespace[];
  load: () => Promise<{ default: Component<PageProps<R>> }>;
  /** The page is created anew when this value changes. */
  key: (route: R) => string | null;
}

type LazyPages = { [P in Exclude<Route["page"], EagerPage>]: LazyPage<Extract<Route, { page: P }>> };

const LAZY_PAGES: LazyPages = {
  match: { namespaces: ["match", "review"], load: () => import("./Match.svelte"), key: ({ matchId }) => matchId },
  replay: { namespaces: ["match", "replay", "review"], load: () => import("./Replay.svelte"), key: ({ matchId }) => matchId },
  rules: { namespaces: ["match", "rules"], load: () => import("./Rules.svelte"), key: ({ game }) => game },
  decks: { namespaces: ["decks"], load: () => import("./Decks.svelte"), key: ({ deckId }) => deckId },
  learn: { namespaces: ["match"], load: () => import("./Learn.svelte"), key: ({ game }) => game },
  companion: { namespaces: ["companion", "rules"], load: () => import("./Companion.svelte"), key: () => null },
  try: { namespaces: ["match", "rules"], load: () => import("./TryExample.svelte"), key: ({ example }) => example },
};

/** The lazily loaded page of a route; undefined for the pages of the first script. */
export function lazyPage({ page }: Route): LazyPage<Route> | undefined {
  return (LAZY_PAGES as Partial<Record<Route["page"], unknown>>)[page] as LazyPage<Route> | undefined;
}

/** The properties that a route gives to its page. */
export function pageProps({ page: _, ...props }: Route): PageProps<Route> {
  return props;
}
