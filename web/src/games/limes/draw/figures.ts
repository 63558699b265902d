/** Where the workers of a display stand: one large, or a few smaller ones side by side. */
import type { LimesWorker } from "$lib/api";
import { player } from "../palette";
import { hutPlace } from "./landscape";
import { at, SIDE, zonePlace, type Land } from "./zones";

/** More workers than this on one zone are not drawn, only counted. */
export const SHOWN = 3;
const SCALE = [0, 1, 0.68, 0.52];
const APART = [0, 0, 46, 31];

export interface Figure {
  worker: LimesWorker;
  /** Which of the display's workers he is. */
  index: number;
  x: number;
  y: number;
  scale: number;
}

export interface Crowd {
  zone: string;
  x: number;
  y: number;
  figures: Figure[];
  /** How many stand here. */
  count: number;
}

/** The workers zone by zone, the scoring one first; they step aside for a hut, and shrink where the zone must be free. */
export function crowds(workers: readonly LimesWorker[], land: Land, small = false): Crowd[] {
  const zones = new Map<string, number[]>();
  workers.forEach(({ zone }, i) => zones.set(zone, [...(zones.get(zone) ?? []), i]));
  return [...zones].map(([zone, all]) => {
    const { x, y } = zonePlace(zone);
    const here = land.get(at(x, y));
    const hutAt = here?.hut ? hutPlace(here, land) : null;
    const shown = all.sort((a, b) => Number(workers[b]!.scored) - Number(workers[a]!.scored)).slice(0, SHOWN);
    const many = shown.length;
    let scale = SCALE[many]!;
    let aside = 0;
    if (many === 1 && hutAt !== null) {
      scale = 0.88;
      aside = hutAt < 50 ? 12 : -12;
    }
    if (small) scale = Math.min(scale, 0.62);
    const down = many === 1 && !small ? 94 : hutAt === null || (small && many === 1) ? 84 : 62;
    const figures = shown.map((index, i) => ({
      worker: workers[index]!,
      index,
      x: x * SIDE + 51 + aside + (i - (many - 1) / 2) * APART[many]!,
      y: y * SIDE + down,
      scale,
    }));
    return { zone, x, y, figures, count: all.length };
  });
}

/** A colour with a share of another in it; both are written #rrggbb. */
export function mix(colour: string, other: string, share: number): string {
  const part = (text: string, i: number) => parseInt(text.slice(i, i + 2), 16);
  const blend = (i: number) => Math.round(part(colour, i) + (part(other, i) - part(colour, i)) * share);
  return `#${[1, 3, 5].map((i) => blend(i).toString(16).padStart(2, "0")).join("")}`;
}

/** A worker without points, as a picture of its own. */
export function figureMarkup(profession: LimesWorker["profession"], seat: number): string {
  const body = `<use href="#limes-${profession}" color="${player(seat).colour}"/>`;
  return `<svg class="limes" viewBox="-42 -92 84 98" width="100%" height="100%" overflow="visible">${body}</svg>`;
}
