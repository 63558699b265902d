/** What happened, in words, where turns are only names. */
import type { StepState } from "$lib/api";
import { t } from "$lib/i18n/messages.svelte";

export function stepWords({ player, text }: StepState, names: readonly string[]): string {
  if (player === null) return t("plain.chance", { turn: text });
  return t("plain.happened", { name: names[player] ?? "", turn: text });
}
