/**
 * Which file of the built page a module comes in. Every file costs a request with its headers, and every byte of the first
 * ones is waited for: what the start page needs comes in one, each of its little boards in another, and what several
 * other pages share in a third. Everything else goes along with the page that asks for it.
 */
import type { Rollup } from "vite";

type Modules = Pick<Rollup.ManualChunkMeta, "getModuleInfo" | "getModuleIds">;

const SLIDESHOW = /\/games\/(\w+)\/start\/Slideshow\.svelte$/;
const SHARED = /\/(src\/lib|node_modules\/svelte)\//;

/** A module and all that must be there before it runs. */
function closure(from: string, { getModuleInfo }: Modules, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(from)) return found;
  found.add(from);
  for (const id of getModuleInfo(from)?.importedIds ?? []) closure(id, { getModuleInfo } as Modules, found);
  return found;
}

function assign(modules: Modules): Map<string, string> {
  const chunks = new Map<string, string>();
  const put = (ids: Iterable<string>, chunk: string) => {
    for (const id of ids) if (!chunks.has(id)) chunks.set(id, chunk);
  };
  const ids = [...modules.getModuleIds()];
  const infos = ids.map((id) => modules.getModuleInfo(id)!);
  for (const { id, isEntry } of infos) if (isEntry) put(closure(id, modules), "start");
  for (const id of ids) {
    const game = SLIDESHOW.exec(id)?.[1];
    if (!game) continue;
    const needed = [...closure(id, modules)];
    put(
      needed.filter((each) => SHARED.test(each)),
      "start",
    );
    put(needed, game);
  }
  const uses = new Map<string, number>();
  for (const { id, dynamicImporters } of infos) {
    if (!dynamicImporters.length) continue;
    for (const used of closure(id, modules)) uses.set(used, (uses.get(used) ?? 0) + 1);
  }
  put(
    ids.filter((id) => SHARED.test(id) && (uses.get(id) ?? 0) > 1),
    "shared",
  );
  return chunks;
}

let chunks: Map<string, string> | undefined;

/** The name of a module's file; undefined where it may come with whoever needs it. */
export function chunkOf(id: string, modules: Modules): string | undefined {
  chunks ??= assign(modules);
  return chunks.get(id);
}
