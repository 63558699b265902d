/** A turn in words, as a review or a hint names it. */
import { t } from "$lib/messages.svelte";

/** `c4-e5 xd3`, `c4-e5`, `xd3` or `-`, taken apart. */
export function turnParts(text: string): { source: string; target: string; removed: string } {
  const [, source = "", target = ""] = /^(\w+)-(\w+)/.exec(text) ?? [];
  const [, removed = ""] = /x(\w+)$/.exec(text) ?? [];
  return { source, target, removed };
}

export function turnWords(text: string): string {
  const { source, target, removed } = turnParts(text);
  if (source && removed) return t("review.limit.both", { source, target, removed });
  if (source) return t("review.limit.move", { source, target });
  return removed ? t("review.limit.removal", { removed }) : t("review.limit.pass");
}
