/** The page's own files, and which of them import which. */
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

/** What an import means, as a file under src; undefined for packages and for drawings from outside the page. */
function resolved(from: string, wanted: string): string | undefined {
  if (!/^(\.|\$lib)/.test(wanted)) return undefined;
  const path = wanted.startsWith("$lib") ? wanted.replace("$lib", "lib") : normalize(join(dirname(from), wanted));
  const found = ["", ".ts", "/index.ts"].map((end) => path + end).find((name) => known.has(name) && /\.\w+$/.test(name));
  if (!found) throw new Error(`${from} imports ${wanted}, which is not there`);
  return found;
}

export interface Import {
  from: string;
  to: string;
  /** Types are gone when the page runs; what comes later comes when it is asked for. */
  kind: "now" | "later" | "type";
}

const STATEMENT = /(?:\b(import|export)\s+(type\s)?(?:[\w*{}$,\s]+?\sfrom\s+)?|\bimport\()"([^"]+)"/g;

export const imports: readonly Import[] = files.flatMap((from) =>
  [...textOf(from).matchAll(STATEMENT)].flatMap(([, statement, type, wanted]) => {
    const to = resolved(from, wanted!);
    return to ? [{ from, to, kind: !statement ? "later" : type ? "type" : "now" } satisfies Import] : [];
  }),
);

const along = new Map(files.map((file) => [file, [] as string[]]));
for (const { from, to, kind } of imports) if (kind === "now") along.get(from)!.push(to);

/** A file and all that comes along with it. */
export function closure(from: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(from)) return found;
  found.add(from);
  for (const to of along.get(from) ?? []) closure(to, found);
  return found;
}
