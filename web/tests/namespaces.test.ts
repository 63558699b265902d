import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { closure, files, imports, textOf } from "./sources";

const folder = fileURLToPath(new URL("../src/messages/en", import.meta.url));
/** The namespace, which is the file, of each message. */
const namespaceOf = new Map<string, string>();
for (const name of readdirSync(folder)) {
  const messages = JSON.parse(readFileSync(join(folder, name), "utf8")) as Record<string, string>;
  for (const key of Object.keys(messages)) namespaceOf.set(key, name.slice(0, -".json".length));
}

/** The namespaces of the messages that each file uses. */
const usedNamespaces = new Map(
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

/** Return the namespaces that a file and its static imports use, except the one that is always loaded. */
function namespacesOf(file: string): string[] {
  const namespaces = new Set([...closure(file)].flatMap((file) => [...(usedNamespaces.get(file) ?? [])]));
  return [...namespaces].filter((namespace) => namespace !== "page").sort();
}

const LOADED = /(?:withMessages\(\[([^\]]*)\], \(\) => |namespaces: \[([^\]]*)\],\s+load: \(\) => )?import\(\s*"([^"]+)"/g;

test("the first script uses no lazy namespace", () => {
  expect(namespacesOf("main.ts")).toEqual([]);
});

test("each lazy import loads exactly the namespaces that it uses", () => {
  const offenders: string[] = [];
  for (const from of files) {
    for (const [, wrapped, listed, path] of textOf(from).matchAll(LOADED)) {
      const lazyImports = imports.filter((edge) => edge.from === from && edge.kind === "lazy");
      const to = lazyImports.find((edge) => hasSameEnd(edge.to, path!))?.to;
      const namespaces = [...(wrapped ?? listed ?? "").matchAll(/"(\w+)"/g)].map((match) => match[1]!).sort();
      const needed = namespacesOf(to!);
      if (String(namespaces) !== String(needed))
        offenders.push(`${from} loads ${path} with [${namespaces}], which uses [${needed}]`);
    }
  }
  expect(offenders).toEqual([]);
});

const hasSameEnd = (file: string, path: string) => file.replace(/\.ts$/, "").endsWith(path.replace(/^[./]+/, ""));
