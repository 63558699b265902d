/** Texts about tiles, pawns and turns of Limit. */
import type { LimitView } from "./types";
import { formatList, t, type MessageKey } from "$lib/i18n/messages.svelte";
import { grammaticalPerson } from "$lib/i18n/playerNames";
import { COLOR_LETTERS, type Pawn } from "./board/scene";
import type { LimitDraft } from "./match/draft.svelte";

export const COLOR_SYMBOLS: Record<string, string> = { R: "●", B: "▬", Y: "▲", K: "✚" };

export function tileText(letter: string): string {
  return t(`limit.tile.${letter}` as MessageKey);
}

export function pawnText(player: number): string {
  return t(`limit.pawn.${COLOR_LETTERS[player] ?? "R"}` as MessageKey);
}

/** Return the accessible label of a tile: `c4, red tile, blue pawn`. */
export function tileLabel(view: LimitView, name: string): string {
  const player = view.pawns.findIndex((names) => names.includes(name));
  const parts = [name, tileText(view.tiles[name] ?? "K")];
  if (player >= 0) parts.push(pawnText(player));
  if (view.danger.some((group) => group.pawns.includes(name))) parts.push(t("limit.tile-label.danger"));
  return parts.join(", ");
}

/** List captured pawns: `captures: blue pawn f4, blue pawn f5`; empty if there are none. */
export function captureText(captured: readonly Pawn[]): string {
  if (!captured.length) return "";
  return t("limit.captures", { n: captured.length, pawns: pawnListText(captured) });
}

export function pawnListText(captured: readonly Pawn[]): string {
  return formatList(captured.map(([name, player]) => `${pawnText(player)} ${name}`));
}

/** Describe the effect of choosing a tile in the draft. */
export function choiceText(draft: LimitDraft, name: string): string {
  if (!draft.choices.has(name)) return draft.target === name ? t("limit.tile-label.moved") : "";
  if (draft.canPickPawn(name)) return t("limit.tile-label.pawn", { n: draft.reachableTiles(name).length });
  const capture = captureText(draft.capturedBy(name));
  if (draft.stage === "target") return [t("limit.tile-label.target"), capture].filter(Boolean).join(", ");
  const others = draft.sunkBy(name).filter((tile) => tile !== name);
  const sinks = others.length ? t("limit.tile-label.isolates", { n: others.length, tiles: formatList(others) }) : "";
  return [t("limit.tile-label.removal"), sinks, capture].filter(Boolean).join(", ");
}

/** Describe the last turn in a few sentences. */
export function lastTurnText(view: LimitView, playerName: string): string {
  const last = view.last;
  if (!last) return t("limit.last-turn.none");
  const sentences: string[] = [];
  const you = grammaticalPerson(playerName);
  if (last.source && last.target && last.removed) {
    sentences.push(
      t("limit.last-turn.both", { who: playerName, you, source: last.source, target: last.target, removed: last.removed }),
    );
  } else if (last.source && last.target) {
    sentences.push(t("limit.last-turn.move", { who: playerName, you, source: last.source, target: last.target }));
  } else if (last.removed) {
    sentences.push(t("limit.last-turn.removal", { who: playerName, you, removed: last.removed }));
  } else {
    sentences.push(t("limit.last-turn.pass", { who: playerName, you }));
  }
  const others = last.sunk.map(([name]) => name).filter((name) => name !== last.removed);
  if (others.length) sentences.push(t("limit.last-turn.sunk", { n: others.length, tiles: formatList(others) }));
  if (last.captured.length)
    sentences.push(t("limit.last-turn.captured", { n: last.captured.length, pawns: pawnListText(last.captured as Pawn[]) }));
  return sentences.join(" ");
}

/** Describe the position for screen readers. */
export function boardText(view: Pick<LimitView, "tiles" | "pawns">): string {
  const parts = [t("limit.board.tiles", { n: Object.keys(view.tiles).length })];
  view.pawns.forEach((names, player) => {
    parts.push(names.length ? `${pawnText(player)}: ${formatList(names)}` : `${pawnText(player)}: –`);
  });
  return `${parts.join("; ")}.`;
}
