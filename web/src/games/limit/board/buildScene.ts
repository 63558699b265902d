/** What the board shows: the position, what the turn has done so far, and what is pointed at would do. */
import type { LimitGroup, LimitView } from "../types";
import { turnParts, type Pawn, type Scene } from "./scene";
import type { LimitDraft } from "../match/draft.svelte";
import { areLastTurnMarksEnabled } from "$lib/match/lastTurnMarks.svelte";
import type { Comparison } from "../../gameUi";
import { route } from "./geometry";

/** A position and what the last turn did to it. */
export function positionScene(view: LimitView, marked: boolean): Scene {
  const last = areLastTurnMarksEnabled() ? view.last : null;
  const { source, target, removed } = last ?? {};
  return {
    named: [source, target, removed].filter((name) => typeof name === "string"),
    tiles: view.tiles,
    pawns: view.pawns,
    sunk: last?.sunk as [string, string][] | undefined,
    captured: last?.captured as Pawn[] | undefined,
    moved: last?.source && last.target ? [last.source, last.target] : null,
    ...(marked ? marks(view.danger) : {}),
  };
}

/** The position before a turn, with the turn and the better one on it, and what is spoken of. */
export function comparedScene(view: LimitView, { played, better, locations }: Comparison): Scene {
  const standing = new Set(view.pawns.flat());
  const compared = [
    { as: "played", ...turnParts(played) },
    { as: "better", ...turnParts(better) },
  ] as const;
  return {
    tiles: view.tiles,
    pawns: view.pawns,
    compared,
    named: compared.flatMap(({ source, target, removed }) => [source, target, removed]).filter(Boolean),
    danger: [...locations].filter((name) => standing.has(name)),
    breath: [...locations].filter((name) => name in view.tiles && !standing.has(name)),
  };
}

/** A turn in the making, with the tile that is pointed at; groups in danger are marked if that is wanted. */
export function draftScene(draft: LimitDraft, pointed: string | null, marked: boolean): Scene {
  const { view, source, target, removed } = draft;
  const shown = pointed !== null && draft.choices.has(pointed) && !draft.isPawn(pointed) ? pointed : null;
  if (!draft.canUndo) {
    return {
      ...positionScene(view, marked),
      reach: pointed !== null && draft.isPawn(pointed) ? draft.reachOf(pointed) : [],
      removable: draft.removable,
    };
  }
  if (target === null && source !== null) {
    const reach = draft.reachOf(source);
    const fallen = shown === null ? [] : draft.captures(shown);
    const free = Object.keys(view.tiles).filter((name) => !view.pawns.some((names) => names.includes(name)));
    return {
      tiles: view.tiles,
      pawns: without(view.pawns, fallen),
      captured: fallen,
      ...(marked ? marks(view.danger) : {}),
      reach,
      picked: source,
      way: shown === null ? [] : route(source, shown, free),
      takes: counts(reach, (name) => draft.captures(name).length),
    };
  }
  const gone = shown ?? removed;
  const fallen = [...draft.captured, ...(gone === null ? [] : draft.captures(gone))];
  const sunk = gone === null ? [] : draft.sinks(gone);
  const pawns = target === null ? view.pawns : moved(view.pawns, source!, target);
  const danger = (gone === null ? draft.moved?.danger : draft.removal(gone)?.danger) ?? (target === null ? view.danger : []);
  return {
    tiles: view.tiles,
    pawns: without(pawns, fallen),
    captured: fallen,
    ...(marked ? marks(danger) : {}),
    sunk: sunk.map((name) => [name, view.tiles[name] ?? "K"] as const),
    moved: target === null ? null : [source!, target],
    removable: draft.removable.filter((name) => !sunk.includes(name)),
    takes: counts(draft.removable, (name) => draft.captures(name).length),
  };
}

/** Rings around those in danger, and where they still breathe. */
function marks(danger: readonly LimitGroup[]): Pick<Scene, "danger" | "breath"> {
  return { danger: danger.flatMap(({ pawns }) => pawns), breath: danger.flatMap(({ freedoms }) => freedoms) };
}

function without(pawns: readonly (readonly string[])[], fallen: readonly Pawn[]): string[][] {
  const gone = new Set(fallen.map(([name]) => name));
  return pawns.map((names) => names.filter((name) => !gone.has(name)));
}

function moved(pawns: readonly (readonly string[])[], source: string, target: string): string[][] {
  return pawns.map((names) => names.map((name) => (name === source ? target : name)));
}

function counts(names: readonly string[], count: (name: string) => number): Record<string, number> {
  return Object.fromEntries(names.map((name) => [name, count(name)] as const).filter(([, number]) => number > 0));
}
