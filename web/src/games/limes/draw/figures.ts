/** Workers as figures: one large figure in a zone, or several smaller ones side by side. */
import type { LimesWorker } from "../types";
import { playerStyle } from "./palette";
import { hutOffset } from "./landscape";
import { ART, SIDE, tag } from "./layers";
import { zonePosition, type GroundMap } from "./zones";

/** A worker with the position of the foot and the scale of the figure. */
export interface PlacedFigure {
  worker: LimesWorker;
  /** Index of the worker in the display. */
  index: number;
  x: number;
  y: number;
  scale: number;
}

/** The workers of one zone. Only the first few are drawn as figures; `count` includes all. */
export interface ZoneWorkers {
  zone: string;
  x: number;
  y: number;
  figures: PlacedFigure[];
  count: number;
}

/** Place the workers of each zone, from back to front. A scoring worker comes first in his zone. */
export function zoneWorkers(workers: readonly LimesWorker[], ground: GroundMap): ZoneWorkers[] {
  const zones = new Map<string, number[]>();
  workers.forEach(({ zone }, i) => zones.set(zone, [...(zones.get(zone) ?? []), i]));
  return [...zones].map(([zone, indices]) => placeWorkers(zone, indices, workers, ground)).sort((a, b) => a.y - b.y || a.x - b.x);
}

function placeWorkers(zone: string, indices: readonly number[], workers: readonly LimesWorker[], ground: GroundMap): ZoneWorkers {
  const art = ART.figures;
  const { x, y } = zonePosition(zone);
  const hutX = hutOffset(x, y, ground);
  const ordered = [...indices].sort((a, b) => Number(workers[b]!.scored) - Number(workers[a]!.scored));
  const drawn = ordered.slice(0, art.shown);
  let [scale, offset] = [art.scale[drawn.length - 1]!, 0];
  if (drawn.length === 1 && hutX !== null) {
    scale = art.hut.scale;
    offset = hutX < SIDE / 2 ? art.hut.aside : -art.hut.aside;
  }
  // Small figures stand higher, so that a hut in the corner stays in sight.
  const foot = art.foot[drawn.length === 1 ? "one" : hutX === null ? "many" : "beside hut"];
  const figures = drawn.map((index, i) => ({
    worker: workers[index]!,
    index,
    x: x * SIDE + art.across + offset + (i - (drawn.length - 1) / 2) * art.apart[drawn.length - 1]!,
    y: y * SIDE + foot,
    scale,
  }));
  return { zone, x, y, figures, count: indices.length };
}

/** Draw the number of workers in a zone with more than one. */
export function drawCount({ x, y, count }: ZoneWorkers): string {
  const art = ART.figures.count;
  if (count < art.from) return "";
  const transform = `translate(${x * SIDE + art.x} ${y * SIDE + art.y})`;
  return tag("g", { transform, ...ART.figures.text }, tag("circle", art.circle) + tag("text", art.text, `×${count}`));
}

/** Return a picture of a worker without points. */
export function figureMarkup(profession: LimesWorker["profession"], seat: number): string {
  const body = `<use href="#limes-${profession}" color="${playerStyle(seat).color}"/>`;
  return `<svg class="limes" viewBox="-42 -92 84 98" width="100%" height="100%" overflow="visible">${body}</svg>`;
}
