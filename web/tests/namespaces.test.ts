import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { closure, files, imports, textOf } from "./sources";

const folder = fileURLToPath(new URL("../src/messages/en", import.meta.url));
/** Of every message the file, and so the namespace, that it stands in. */
const namespaceOf = new Map<string, string>();
for (const name of readdirSync(folder)) {
  const messages = JSON.parse(readFileSync(join(folder, name), "utf8")) as Record<string, string>;
  for (const key of Object.keys(messages)) namespaceOf.set(key, name.slice(0, -".json".length));
}

/** The namespaces whose words each file says. */
const said = new Map(
  files.map((file) => {
    const namespaces = new Set<string>();
    for (const [, key] of textOf(file).matchAll(/["'`]([a-z]+(?:\.[\w-]+)+)["'`]/g))
      namespaces.add(namespaceOf.get(key!) ?? "page");
    for (const [, start] of textOf(file).matchAll(/`([a-z]+\.(?:[\w-]+\.)*)\$\{/g)) {
      for (const [key, namespace] of namespaceOf) if (key.startsWith(start!)) namespaces.add(namespace);
    }
    return [file, namespaces];
  }),
);

/** The namespaces whose words a file and what comes along with it say, beside those that are always there. */
function namespacesOf(file: string): string[] {
  const namespaces = new Set([...closure(file)].flatMap((each) => [...(said.get(each) ?? [])]));
  return [...namespaces].filter((namespace) => namespace !== "page").sort();
}

const LOADED = /(?:withMessages\(\[([^\]]*)\], \(\) => |namespaces: \[([^\]]*)\], load: \(\) => )?import\(\s*"([^"]+)"/g;

test("the start page says only what comes with it", () => {
  expect(namespacesOf("main.ts")).toEqual([]);
});

test("whatever is loaded later comes with the words that it says, and with no others", () => {
  const wrong: string[] = [];
  for (const from of files) {
    for (const [, wrapped, listed, wanted] of textOf(from).matchAll(LOADED)) {
      const to = imports.find((each) => each.from === from && each.kind === "later" && sameEnd(each.to, wanted!))?.to;
      const namespaces = [...(wrapped ?? listed ?? "").matchAll(/"(\w+)"/g)].map((found) => found[1]!).sort();
      const needed = namespacesOf(to!);
      if (String(namespaces) !== String(needed))
        wrong.push(`${from} loads ${wanted} with [${namespaces}], which says [${needed}]`);
    }
  }
  expect(wrong).toEqual([]);
});

const sameEnd = (file: string, wanted: string) => file.replace(/\.ts$/, "").endsWith(wanted.replace(/^[./]+/, ""));
