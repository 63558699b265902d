/** Workers on the ground: one large, or a few smaller ones side by side. */
import type { LimesWorker } from "../types";
import { playerStyle } from "./palette";
import { hutOffset } from "./landscape";
import { ART, SIDE, tag } from "./layers";
import { zonePlace, type Land } from "./zones";

/** A worker, where his foot stands, and how large he is. */
export interface PlacedFigure {
  worker: LimesWorker;
  /** Which of the display's workers he is. */
  index: number;
  x: number;
  y: number;
  scale: number;
}

/** The workers of one zone: those that are drawn, and how many there are. */
export interface ZoneWorkers {
  zone: string;
  x: number;
  y: number;
  figures: PlacedFigure[];
  count: number;
}

/** The workers zone by zone, from back to front, the scoring one first; they step aside for a hut. */
export function zoneWorkers(workers: readonly LimesWorker[], land: Land): ZoneWorkers[] {
  const zones = new Map<string, number[]>();
  workers.forEach(({ zone }, i) => zones.set(zone, [...(zones.get(zone) ?? []), i]));
  return [...zones].map(([zone, all]) => placeWorkers(zone, all, workers, land)).sort((a, b) => a.y - b.y || a.x - b.x);
}

function placeWorkers(zone: string, all: readonly number[], workers: readonly LimesWorker[], land: Land): ZoneWorkers {
  const art = ART.figures;
  const { x, y } = zonePlace(zone);
  const hutAt = hutOffset(x, y, land);
  const ordered = [...all].sort((a, b) => Number(workers[b]!.scored) - Number(workers[a]!.scored));
  const shown = ordered.slice(0, art.shown);
  const many = shown.length;
  let [scale, aside] = [art.scale[many - 1]!, 0];
  if (many === 1 && hutAt !== null) {
    scale = art.hut.scale;
    aside = hutAt < SIDE / 2 ? art.hut.aside : -art.hut.aside;
  }
  // Small figures stand higher, so that a hut in the corner stays in sight.
  const down = art.foot[many === 1 ? "one" : hutAt === null ? "many" : "beside hut"];
  const figures = shown.map((index, i) => ({
    worker: workers[index]!,
    index,
    x: x * SIDE + art.across + aside + (i - (many - 1) / 2) * art.apart[many - 1]!,
    y: y * SIDE + down,
    scale,
  }));
  return { zone, x, y, figures, count: all.length };
}

/** How many workers stand on a zone, where it is more than one. */
export function drawCount({ x, y, count }: ZoneWorkers): string {
  const art = ART.figures.count;
  if (count < art.from) return "";
  const transform = `translate(${x * SIDE + art.x} ${y * SIDE + art.y})`;
  return tag("g", { transform, ...ART.figures.text }, tag("circle", art.circle) + tag("text", art.text, `×${count}`));
}

/** A worker without points, as a picture of its own. */
export function figureMarkup(profession: LimesWorker["profession"], seat: number): string {
  const body = `<use href="#limes-${profession}" color="${playerStyle(seat).color}"/>`;
  return `<svg class="limes" viewBox="-42 -92 84 98" width="100%" height="100%" overflow="visible">${body}</svg>`;
}
