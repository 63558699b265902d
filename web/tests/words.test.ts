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

/** The rooms whose words a file and what comes along with it say. */
function roomsOf(file: string): Set<string> {
  const rooms = new Set<string>();
  for (const each of closure(file)) {
    const text = textOf(each);
    for (const [, key] of text.matchAll(/["'`]([a-z]+(?:\.[\w-]+)+)["'`]/g)) if (roomOf.has(key!)) rooms.add(roomOf.get(key!)!);
    for (const [, start] of text.matchAll(/`([a-z]+\.(?:[\w-]+\.)*)\$\{/g)) {
      for (const [key, room] of roomOf) if (key.startsWith(start!)) rooms.add(room);
    }
  }
  return rooms;
}

const LOADED = /(?:withWords\(\[([^\]]*)\], \(\) => )?import\(\s*"([^"]+)"/g;

test("the start page says only what comes with it", () => {
  expect([...roomsOf("main.ts")]).toEqual(["page"]);
});

test("whatever is loaded later comes with the words that it says, and with no others", () => {
  const wrong: string[] = [];
  for (const from of files) {
    for (const [, named = "", wanted] of textOf(from).matchAll(LOADED)) {
      const to = imports.find((each) => each.from === from && each.kind === "later" && sameEnd(each.to, wanted!))?.to;
      const rooms = [...named.matchAll(/"(\w+)"/g)].map((found) => found[1]!).sort();
      const said = [...roomsOf(to!)].filter((room) => room !== "page").sort();
      if (String(rooms) !== String(said)) wrong.push(`${from} loads ${wanted} with [${rooms}], which says [${said}]`);
    }
  }
  expect(wrong).toEqual([]);
});

const sameEnd = (file: string, wanted: string) => file.replace(/\.ts$/, "").endsWith(wanted.replace(/^[./]+/, ""));
