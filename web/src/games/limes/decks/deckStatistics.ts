/** Statistics of a deck: zones and huts, and what is probably a mistake. */
import type { Landscape } from "../draw/zones";
import { canonicalNotation, isComplete, LANDSCAPES, UNKNOWN, type Face } from "./faces";

export interface DeckStatistics {
  zones: Readonly<Record<Landscape, number>>;
  huts: Readonly<Record<Landscape, number>>;
  hutCount: number;
  /** Groups of card numbers whose faces are equal after a rotation. */
  duplicates: readonly (readonly number[])[];
  /** Numbers of the cards with unknown zones. */
  unfinished: readonly number[];
  /** Landscapes that do not occur; empty while cards are unfinished. */
  missing: readonly Landscape[];
}

export function deckStatistics(faces: readonly Face[]): DeckStatistics {
  const allZones = faces.flat();
  const count = (predicate: (zone: string) => boolean) => allZones.filter(predicate).length;
  const countByLandscape = (predicate: (zone: string, landscape: Landscape) => boolean) =>
    Object.fromEntries(LANDSCAPES.map((landscape) => [landscape, count((zone) => predicate(zone, landscape))])) as Record<
      Landscape,
      number
    >;
  const zones = countByLandscape((zone, landscape) => zone !== UNKNOWN && zone[0] === landscape);
  const groups = new Map<string, number[]>();
  faces.forEach((face, i) => {
    if (isComplete(face)) groups.set(canonicalNotation(face), [...(groups.get(canonicalNotation(face)) ?? []), i + 1]);
  });
  const unfinished = faces.flatMap((face, i) => (isComplete(face) ? [] : [i + 1]));
  return {
    zones,
    huts: countByLandscape((zone, landscape) => zone === `${landscape}*`),
    hutCount: count((zone) => zone.endsWith("*")),
    duplicates: [...groups.values()].filter((numbers) => numbers.length > 1),
    unfinished,
    missing: unfinished.length ? [] : LANDSCAPES.filter((landscape) => !zones[landscape]),
  };
}

/** Return the number of faces that two decks have in common, in any rotation. */
export function countCommonFaces(faces: readonly Face[], others: readonly Face[]): number {
  const unmatched = others.map(canonicalNotation);
  return faces.filter((face) => {
    const index = unmatched.indexOf(canonicalNotation(face));
    if (index >= 0) unmatched.splice(index, 1);
    return index >= 0;
  }).length;
}
