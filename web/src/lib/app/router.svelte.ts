/** Which page is shown: read from the address, changed without loading. */
import { tick } from "svelte";

export type Route =
  | { page: "start" }
  | { page: "games" }
  | { page: "match"; matchId: string }
  | { page: "replay"; matchId: string | null }
  | { page: "rules"; game: string | null }
  | { page: "decks"; deckId: string | null }
  | { page: "learn"; game: string }
  | { page: "companion"; game: string | null }
  | { page: "try"; game: string; example: string }
  | { page: "not-found" };

/** What an address means. */
export function parseRoute(path: string): Route {
  const [first = "", second, ...rest] = path.split("/").filter(Boolean);
  if (first === "try" && second && rest.length === 1) return { page: "try", game: second, example: rest[0]! };
  if (rest.length === 0) {
    if (!first) return { page: "start" };
    if (first === "games" && !second) return { page: "games" };
    if (first === "m" && second && /^[\w-]{6,32}$/.test(second)) return { page: "match", matchId: second };
    if (first === "replay") return { page: "replay", matchId: second ?? null };
    if (first === "rules") return { page: "rules", game: second ?? null };
    if (first === "companion") return { page: "companion", game: second ?? null };
    if (first === "decks" && (!second || /^[\w-]{24}$/.test(second))) return { page: "decks", deckId: second ?? null };
    if (first === "learn" && second) return { page: "learn", game: second };
  }
  return { page: "not-found" };
}

let route = $state.raw<Route>(parseRoute(location.pathname));

export function currentRoute(): Route {
  return route;
}

/** Go to another page of ours. */
export function navigate(path: string, { replace = false } = {}): void {
  history[replace ? "replaceState" : "pushState"](null, "", path);
  updateRoute();
  if (!path.includes("#")) {
    scrollTo(0, 0);
    // Those who hear the page, or use the keyboard, begin at its top as well; at once, before they have gone elsewhere.
    void tick().then(() => document.getElementById("main")?.focus({ preventScroll: true }));
  }
}

function updateRoute(): void {
  const next = parseRoute(location.pathname);
  if (JSON.stringify(next) !== JSON.stringify(route)) route = next;
}

/** Called once: links to our own pages do not load anew. */
export function initRouter(): void {
  addEventListener("popstate", updateRoute);
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
    if (link.pathname.startsWith("/api/")) return;
    if (link.hash && link.pathname === location.pathname) return;
    event.preventDefault();
    navigate(link.pathname + link.search + link.hash);
  });
}
