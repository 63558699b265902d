import { expect, test } from "vitest";
import { files, imports, textOf } from "./sources";

/** The layers of the page, lowest first, by the files in them. A file may import from its own layer and from lower ones. */
const LAYERS: readonly RegExp[] = [
  /^messages\//,
  /^lib\/(api|storage)\//,
  /^lib\/i18n\//,
  /^lib\/app\//,
  /^lib\/(components|files|input|sound)\//,
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

const layerOf = (file: string) => LAYERS.findIndex((layer) => layer.test(file));
const gameOf = (file: string) => /^games\/([^/]+)\//.exec(file)?.[1];

test("every file belongs to a layer", () => {
  expect(files.filter((file) => layerOf(file) < 0)).toEqual([]);
  expect(imports.length).toBeGreaterThan(files.length);
});

test("nothing imports from a layer above its own", () => {
  const wrong = imports.filter(({ from, to }) => layerOf(to) > layerOf(from));
  expect(wrong.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
});

test("games do not import each other, and only games/index.ts imports them", () => {
  const wrong = imports.filter(({ from, to }) => gameOf(to) && gameOf(from) !== gameOf(to) && from !== "games/index.ts");
  expect(wrong.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
});

test("nothing outside a game's folder, games/index.ts and the messages names a game", () => {
  const games = [...new Set(files.map(gameOf))].filter((game) => game && game !== "generic");
  const named = new RegExp(`\\b(${games.join("|")})`, "i");
  const wrong = files.filter((file) => {
    if (gameOf(file) || file === "games/index.ts" || /^messages\/|^lib\/api\/types\.ts$/.test(file)) return false;
    return named.test(textOf(file));
  });
  expect(games.length).toBeGreaterThan(1);
  expect(wrong).toEqual([]);
});
