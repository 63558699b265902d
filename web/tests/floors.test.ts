import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../src", import.meta.url));

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

const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) => /\.(ts|svelte|css)$/.test(name));
const known = new Set(readdirSync(root, { recursive: true, encoding: "utf8" }));

/** What an import means, as a file under src; undefined for packages and for drawings from outside the page. */
function resolved(from: string, wanted: string): string | undefined {
  if (!/^(\.|\$lib)/.test(wanted)) return undefined;
  const path = wanted.startsWith("$lib") ? wanted.replace("$lib", "lib") : normalize(join(dirname(from), wanted));
  const found = ["", ".ts", "/index.ts"].map((end) => path + end).find((name) => known.has(name) && /\.\w+$/.test(name));
  if (!found) throw new Error(`${from} imports ${wanted}, which is not there`);
  return found;
}

const imports = files.flatMap((from) => {
  const text = readFileSync(join(root, from), "utf8");
  return [...text.matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g)].flatMap(([, wanted]) => {
    const to = resolved(from, wanted!);
    return to ? [{ from, to }] : [];
  });
});

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
    return named.test(readFileSync(join(root, file), "utf8"));
  });
  expect(games.length).toBeGreaterThan(1);
  expect(wrong).toEqual([]);
});
