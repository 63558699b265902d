/** Texts about the steps of a game without an interface of its own. */
import type { StepState } from "$lib/api";
import { t } from "$lib/i18n/messages.svelte";

export function stepText({ player, text }: StepState, names: readonly string[]): string {
  if (player === null) return t("generic.chance", { turn: text });
  return t("generic.turn-played", { name: names[player] ?? "", turn: text });
}
