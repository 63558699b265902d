/** The source files of the page and their imports. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../src", import.meta.url));
const known = new Set(readdirSync(root, { recursive: true, encoding: "utf8" }));

export const files = [...known].filter((name) => /\.(ts|svelte|css)$/.test(name));
const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), "utf8")]));

export function textOf(file: string): string {
  return texts.get(file) ?? readFileSync(join(root, file), "utf8");
}

/** Return the file under src that an import names; undefined for packages. */
function resolveImport(from: string, specifier: string): string | undefined {
  if (!/^(\.|\$lib)/.test(specifier)) return undefined;
  const path = specifier.startsWith("$lib") ? specifier.replace("$lib", "lib") : normalize(join(dirname(from), specifier));
  const file = ["", ".ts", "/index.ts"].map((end) => path + end).find((name) => known.has(name) && /\.\w+$/.test(name));
  if (!file) throw new Error(`${from} imports ${specifier}, which does not exist`);
  return file;
}

export interface Import {
  from: string;
  to: string;
  /** A type import does not exist at runtime; a lazy one is loaded by `import()`. */
  kind: "static" | "lazy" | "type";
}

const STATEMENT = /(?:\b(import|export)\s+(type\s)?(?:[\w*{}$,\s]+?\sfrom\s+)?|\bimport\()"([^"]+)"/g;

export const imports: readonly Import[] = files.flatMap((from) =>
  [...textOf(from).matchAll(STATEMENT)].flatMap(([, statement, type, specifier]) => {
    const to = resolveImport(from, specifier!);
    return to ? [{ from, to, kind: !statement ? "lazy" : type ? "type" : "static" } satisfies Import] : [];
  }),
);

const staticImports = new Map(files.map((file) => [file, [] as string[]]));
for (const { from, to, kind } of imports) if (kind === "static") staticImports.get(from)!.push(to);

/** Return a file and all files that it imports statically, also indirectly. */
export function closure(from: string, visited = new Set<string>()): ReadonlySet<string> {
  if (visited.has(from)) return visited;
  visited.add(from);
  for (const to of staticImports.get(from) ?? []) closure(to, visited);
  return visited;
}
