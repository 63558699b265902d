/** Scenes of positions, of compared turns, and of the draft of a turn. */
import type { LimitGroup, LimitView } from "../types";
import { turnParts, type Pawn, type Scene } from "./scene";
import type { LimitDraft } from "../match/draft.svelte";
import { areLastTurnMarksEnabled } from "$lib/match/lastTurnMarks.svelte";
import type { Comparison } from "../../gameUi";
import { route } from "./geometry";

/** Return the scene of a position with its last turn. */
export function positionScene(view: LimitView, markDanger: boolean): Scene {
  const last = areLastTurnMarksEnabled() ? view.last : null;
  const { source, target, removed } = last ?? {};
  return {
    emphasizedLabels: [source, target, removed].filter((name) => typeof name === "string"),
    tiles: view.tiles,
    pawns: view.pawns,
    sunk: last?.sunk as [string, string][] | undefined,
    captured: last?.captured as Pawn[] | undefined,
    moved: last?.source && last.target ? [last.source, last.target] : null,
    ...(markDanger ? dangerMarks(view.danger) : {}),
  };
}

/** Return the scene of the position before a turn, with the played and the better turn and the mentioned locations. */
export function comparedScene(view: LimitView, { played, better, locations }: Comparison): Scene {
  const occupied = new Set(view.pawns.flat());
  const comparedTurns = [
    { as: "played", ...turnParts(played) },
    { as: "better", ...turnParts(better) },
  ] as const;
  return {
    tiles: view.tiles,
    pawns: view.pawns,
    comparedTurns,
    emphasizedLabels: comparedTurns.flatMap(({ source, target, removed }) => [source, target, removed]).filter(Boolean),
    danger: [...locations].filter((name) => occupied.has(name)),
    freedoms: [...locations].filter((name) => name in view.tiles && !occupied.has(name)),
  };
}

/** Return the scene of a draft with a preview of the tile under the pointer. */
export function draftScene(draft: LimitDraft, pointed: string | null, markDanger: boolean): Scene {
  const { view, source, target, removed } = draft;
  const previewed = pointed !== null && draft.choices.has(pointed) && !draft.canPickPawn(pointed) ? pointed : null;
  if (!draft.canUndo) {
    return {
      ...positionScene(view, markDanger),
      reach: pointed !== null && draft.canPickPawn(pointed) ? draft.reachableTiles(pointed) : [],
      removable: draft.removable,
    };
  }
  if (target === null && source !== null) {
    const reach = draft.reachableTiles(source);
    const captured = previewed === null ? [] : draft.capturedBy(previewed);
    const free = Object.keys(view.tiles).filter((name) => !view.pawns.some((names) => names.includes(name)));
    return {
      tiles: view.tiles,
      pawns: without(view.pawns, captured),
      captured,
      ...(markDanger ? dangerMarks(view.danger) : {}),
      reach,
      picked: source,
      path: previewed === null ? [] : route(source, previewed, free),
      captureCounts: nonzeroCounts(reach, (name) => draft.capturedBy(name).length),
    };
  }
  const removedTile = previewed ?? removed;
  const captured = [...draft.captured, ...(removedTile === null ? [] : draft.capturedBy(removedTile))];
  const sunk = removedTile === null ? [] : draft.sunkBy(removedTile);
  const pawns = target === null ? view.pawns : movedPawns(view.pawns, source!, target);
  const danger =
    (removedTile === null ? draft.movePreview?.danger : draft.removal(removedTile)?.danger) ??
    (target === null ? view.danger : []);
  return {
    tiles: view.tiles,
    pawns: without(pawns, captured),
    captured,
    ...(markDanger ? dangerMarks(danger) : {}),
    sunk: sunk.map((name) => [name, view.tiles[name] ?? "K"] as const),
    moved: target === null ? null : [source!, target],
    removable: draft.removable.filter((name) => !sunk.includes(name)),
    captureCounts: nonzeroCounts(draft.removable, (name) => draft.capturedBy(name).length),
  };
}

/** Mark groups in danger and their last freedoms. */
function dangerMarks(danger: readonly LimitGroup[]): Pick<Scene, "danger" | "freedoms"> {
  return { danger: danger.flatMap(({ pawns }) => pawns), freedoms: danger.flatMap(({ freedoms }) => freedoms) };
}

function without(pawns: readonly (readonly string[])[], captured: readonly Pawn[]): string[][] {
  const removed = new Set(captured.map(([name]) => name));
  return pawns.map((names) => names.filter((name) => !removed.has(name)));
}

function movedPawns(pawns: readonly (readonly string[])[], source: string, target: string): string[][] {
  return pawns.map((names) => names.map((name) => (name === source ? target : name)));
}

function nonzeroCounts(names: readonly string[], count: (name: string) => number): Record<string, number> {
  return Object.fromEntries(names.map((name) => [name, count(name)] as const).filter(([, number]) => number > 0));
}
