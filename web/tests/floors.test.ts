import { expect, test } from "vitest";
import { files, imports, textOf } from "./sources";

/** The rooms of the page from the ground up, by the files in them. A file may import from its own room and from those below. */
const FLOORS: readonly RegExp[] = [
  /^messages\//,
  /^lib\/api\//,
  /^lib\/[^/]+$/,
  /^lib\/graph\//,
  /^lib\/match\//,
  /^lib\/replay\//,
  /^lib\/review\//,
  /^lib\/learn\//,
  /^games\/gameUi\.ts$/,
  /^games\/[^/]+\//,
  /^games\/index\.ts$/,
  /^pages\/[^/]+\//,
  /^pages\/[^/]+$/,
  /^(App\.svelte|main\.ts|app\.css)$/,
];

const floorOf = (file: string) => FLOORS.findIndex((room) => room.test(file));
const gameOf = (file: string) => /^games\/([^/]+)\//.exec(file)?.[1];

test("every file stands on a floor", () => {
  expect(files.filter((file) => floorOf(file) < 0)).toEqual([]);
  expect(imports.length).toBeGreaterThan(files.length);
});

test("nothing imports from a floor above its own", () => {
  const wrong = imports.filter(({ from, to }) => floorOf(to) > floorOf(from));
  expect(wrong.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
});

test("games do not know each other, and only the table of games looks into their rooms", () => {
  const wrong = imports.filter(({ from, to }) => gameOf(to) && gameOf(from) !== gameOf(to) && from !== "games/index.ts");
  expect(wrong.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
});

test("nothing outside a game's own room, the table of games and the words names a game", () => {
  const games = [...new Set(files.map(gameOf))].filter((game) => game && game !== "plain");
  const named = new RegExp(`\\b(${games.join("|")})`, "i");
  const wrong = files.filter((file) => {
    if (gameOf(file) || file === "games/index.ts" || /^messages\/|types\.ts$/.test(file)) return false;
    return named.test(textOf(file));
  });
  expect(games.length).toBeGreaterThan(1);
  expect(wrong).toEqual([]);
});
