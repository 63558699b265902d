import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { closure, files, imports, textOf } from "./sources";

const folder = fileURLToPath(new URL("../src/messages", import.meta.url));
/** Of every message the file, and so the room, that it stands in. */
const roomOf = new Map<string, string>();
for (const name of readdirSync(folder).filter((each) => each.endsWith(".en.json"))) {
  const messages = JSON.parse(readFileSync(join(folder, name), "utf8")) as Record<string, string>;
  for (const key of Object.keys(messages)) roomOf.set(key, name.slice(0, -".en.json".length));
}

/** The rooms whose words each file says. */
const said = new Map(
  files.map((file) => {
    const rooms = new Set<string>();
    for (const [, key] of textOf(file).matchAll(/["'`]([a-z]+(?:\.[\w-]+)+)["'`]/g)) rooms.add(roomOf.get(key!) ?? "page");
    for (const [, start] of textOf(file).matchAll(/`([a-z]+\.(?:[\w-]+\.)*)\$\{/g)) {
      for (const [key, room] of roomOf) if (key.startsWith(start!)) rooms.add(room);
    }
    return [file, rooms];
  }),
);

/** The rooms whose words a file and what comes along with it say, beside those that are always there. */
function roomsOf(file: string): string[] {
  const rooms = new Set([...closure(file)].flatMap((each) => [...(said.get(each) ?? [])]));
  return [...rooms].filter((room) => room !== "page").sort();
}

const LOADED = /(?:withWords\(\[([^\]]*)\], \(\) => )?import\(\s*"([^"]+)"/g;

test("the start page says only what comes with it", () => {
  expect(roomsOf("main.ts")).toEqual([]);
});

test("whatever is loaded later comes with the words that it says, and with no others", () => {
  const wrong: string[] = [];
  for (const from of files) {
    for (const [, named = "", wanted] of textOf(from).matchAll(LOADED)) {
      const to = imports.find((each) => each.from === from && each.kind === "later" && sameEnd(each.to, wanted!))?.to;
      const rooms = [...named.matchAll(/"(\w+)"/g)].map((found) => found[1]!).sort();
      const needed = roomsOf(to!);
      if (String(rooms) !== String(needed)) wrong.push(`${from} loads ${wanted} with [${rooms}], which says [${needed}]`);
    }
  }
  expect(wrong).toEqual([]);
});

const sameEnd = (file: string, wanted: string) => file.replace(/\.ts$/, "").endsWith(wanted.replace(/^[./]+/, ""));
