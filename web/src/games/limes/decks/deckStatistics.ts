/** What a deck is made of, and what in it is probably not meant. */
import type { Landscape } from "../draw/zones";
import { alike, isWhole, LANDSCAPES, UNKNOWN, type Face } from "./faces";

export interface Statistics {
  zones: Readonly<Record<Landscape, number>>;
  huts: Readonly<Record<Landscape, number>>;
  allHuts: number;
  /** The numbers of cards that are the same up to turning. */
  doubles: readonly (readonly number[])[];
  /** The numbers of cards that are not entered to their end. */
  unfinished: readonly number[];
  /** Landscapes of which there is nothing at all, once every card is there. */
  missing: readonly Landscape[];
}

export function statisticsOf(faces: readonly Face[]): Statistics {
  const all = faces.flat();
  const count = (wanted: (zone: string) => boolean) => all.filter(wanted).length;
  const each = (wanted: (zone: string, landscape: Landscape) => boolean) =>
    Object.fromEntries(LANDSCAPES.map((land) => [land, count((zone) => wanted(zone, land))])) as Record<Landscape, number>;
  const zones = each((zone, land) => zone !== UNKNOWN && zone[0] === land);
  const groups = new Map<string, number[]>();
  faces.forEach((face, i) => {
    if (isWhole(face)) groups.set(alike(face), [...(groups.get(alike(face)) ?? []), i + 1]);
  });
  const unfinished = faces.flatMap((face, i) => (isWhole(face) ? [] : [i + 1]));
  return {
    zones,
    huts: each((zone, land) => zone === `${land}*`),
    allHuts: count((zone) => zone.endsWith("*")),
    doubles: [...groups.values()].filter((numbers) => numbers.length > 1),
    unfinished,
    missing: unfinished.length ? [] : LANDSCAPES.filter((land) => !zones[land]),
  };
}

/** How many faces two decks share up to turning. */
export function inCommon(faces: readonly Face[], others: readonly Face[]): number {
  const left = others.map(alike);
  return faces.filter((face) => {
    const place = left.indexOf(alike(face));
    if (place >= 0) left.splice(place, 1);
    return place >= 0;
  }).length;
}
