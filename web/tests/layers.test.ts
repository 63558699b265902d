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

test("no file imports from a higher layer", () => {
  const offenders = imports.filter(({ from, to }) => layerOf(to) > layerOf(from));
  expect(offenders.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
});

test("games do not import each other, and only games/index.ts imports them", () => {
  const offenders = imports.filter(({ from, to }) => gameOf(to) && gameOf(from) !== gameOf(to) && from !== "games/index.ts");
  expect(offenders.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
});

test("only a game's folder, games/index.ts and the messages name a game", () => {
  const games = [...new Set(files.map(gameOf))].filter((game) => game && game !== "generic");
  const gameName = new RegExp(`\\b(${games.join("|")})`, "i");
  const offenders = files.filter((file) => {
    if (gameOf(file) || file === "games/index.ts" || /^messages\/|^lib\/api\/types\.ts$/.test(file)) return false;
    return gameName.test(textOf(file));
  });
  expect(games.length).toBeGreaterThan(1);
  expect(offenders).toEqual([]);
});
