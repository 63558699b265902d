// What happens on a Limit board, in words.

import type { LimitView } from "./types";
import { formatList, t, type MessageKey } from "$lib/i18n/messages.svelte";
import { grammaticalPerson } from "$lib/i18n/playerNames";
import { LETTERS, type Pawn } from "./board/scene";
import type { LimitDraft } from "./match/draft.svelte";

export const COLOR_SYMBOLS: Record<string, string> = { R: "●", B: "▬", Y: "▲", K: "✚" };

export function tileText(letter: string): string {
  return t(`limit.tile.${letter}` as MessageKey);
}

export function pawnText(player: number): string {
  return t(`limit.pawn.${LETTERS[player] ?? "R"}` as MessageKey);
}

/** `c4, red tile, blue pawn`. */
export function tileLabel(view: LimitView, name: string): string {
  const player = view.pawns.findIndex((names) => names.includes(name));
  const parts = [name, tileText(view.tiles[name] ?? "K")];
  if (player >= 0) parts.push(pawnText(player));
  if (view.danger.some((group) => group.pawns.includes(name))) parts.push(t("limit.spot.danger"));
  return parts.join(", ");
}

/** `captures: blue pawn f4, blue pawn f5`; nothing if nothing is captured. */
export function captureText(captured: readonly Pawn[]): string {
  if (!captured.length) return "";
  return t("limit.captures", { n: captured.length, pawns: pawnListText(captured) });
}

export function pawnListText(captured: readonly Pawn[]): string {
  return formatList(captured.map(([name, player]) => `${pawnText(player)} ${name}`));
}

/** What choosing a tile would do, as the turn stands. */
export function choiceText(draft: LimitDraft, name: string): string {
  if (!draft.choices.has(name)) return draft.target === name ? t("limit.spot.moved") : "";
  if (draft.isPawn(name)) return t("limit.spot.pawn", { n: draft.reachOf(name).length });
  const capture = captureText(draft.captures(name));
  if (draft.stage === "target") return [t("limit.spot.target"), capture].filter(Boolean).join(", ");
  const others = draft.sinks(name).filter((tile) => tile !== name);
  const sinks = others.length ? t("limit.spot.isolates", { n: others.length, tiles: formatList(others) }) : "";
  return [t("limit.spot.removal"), sinks, capture].filter(Boolean).join(", ");
}

/** What the last turn did, in a few sentences. */
export function lastTurnText(view: LimitView, who: string): string {
  const last = view.last;
  if (!last) return t("limit.last.none");
  const said: string[] = [];
  const you = grammaticalPerson(who);
  if (last.source && last.target && last.removed) {
    said.push(t("limit.last.both", { who, you, source: last.source, target: last.target, removed: last.removed }));
  } else if (last.source && last.target) {
    said.push(t("limit.last.move", { who, you, source: last.source, target: last.target }));
  } else if (last.removed) {
    said.push(t("limit.last.removal", { who, you, removed: last.removed }));
  } else {
    said.push(t("limit.last.pass", { who, you }));
  }
  const others = last.sunk.map(([name]) => name).filter((name) => name !== last.removed);
  if (others.length) said.push(t("limit.last.sunk", { n: others.length, tiles: formatList(others) }));
  if (last.captured.length)
    said.push(t("limit.last.captured", { n: last.captured.length, pawns: pawnListText(last.captured as Pawn[]) }));
  return said.join(" ");
}

/** Where all pawns stand, for a picture of the board. */
export function boardText(view: Pick<LimitView, "tiles" | "pawns">): string {
  const parts = [t("limit.board.tiles", { n: Object.keys(view.tiles).length })];
  view.pawns.forEach((names, player) => {
    parts.push(names.length ? `${pawnText(player)}: ${formatList(names)}` : `${pawnText(player)}: –`);
  });
  return `${parts.join("; ")}.`;
}
