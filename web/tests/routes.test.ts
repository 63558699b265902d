import { expect, test, vi } from "vitest";

vi.stubGlobal("location", new URL("http://localhost/"));
vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => undefined }));
const { findPage } = await import("../src/pages/routes");

test.each([
  ["/", "start", {}],
  ["/games", "games", {}],
  ["/m/abc-DEF_12", "match", { matchId: "abc-DEF_12" }],
  ["/replay", "replay", { matchId: null }],
  ["/replay/abcdef/", "replay", { matchId: "abcdef" }],
  ["/rules/heap", "rules", { game: "heap" }],
  ["/decks", "decks", { deckId: null }],
  ["/companion", "companion", { game: null }],
  ["/learn/heap", "learn", { game: "heap" }],
  ["/try/heap/first", "try", { game: "heap", example: "first" }],
  ["/m/short", "not-found", {}],
  ["/decks/short", "not-found", {}],
  ["/learn", "not-found", {}],
  ["/rules/heap/more", "not-found", {}],
  ["/nowhere", "not-found", {}],
])("%s opens the page %s", (path, name, params) => {
  const { page, params: pageParams } = findPage(path);
  expect([page.name, pageParams]).toEqual([name, params]);
});
