/** What makes a worker worth his points: what he counts is lit, the rest steps back. */
import type { LimesWorker } from "../types";
import { hutPlace } from "./landscape";
import { ART, layers, number, SIDE, tag, type Shapes } from "./layers";
import { handDrawn, outline, pair, type Bend } from "./outline";
import { at, neighbors, places, zoneKey, zonePlace, type Land } from "./zones";

type Place = readonly [number, number];

const LIGHT = ART.highlight;

/** The light on what the worker counts, and the veil on all that has no part in it. */
export function shapes(lit: LimesWorker, land: Land): Shapes {
  const bend = handDrawn(land);
  const shown = new Set([...lit.territory, ...lit.counted.flat()].map(zoneKey));
  const veil = outline(new Set([...land.keys()].filter((zone) => !shown.has(zone))), bend);
  if (lit.profession === "watchman") {
    const seen = counted(lit);
    return {
      veil,
      seen: seen.map((place) => outline(new Set([at(...place)]))).join(""),
      rays: seen.map((place) => ray(lit, place)).join(""),
      ends: seen.map(end).join(""),
      post: outline(new Set([zoneKey(lit.zone)])),
    };
  }
  const home = outline(new Set(lit.territory.map(zoneKey)), bend);
  return lit.profession === "woodcutter" ? { veil, home, borders: borders(lit, bend) } : { veil, home };
}

/** Where the forest touches its neighbors: an arrowhead across the border. */
function borders(lit: LimesWorker, bend: Bend): string {
  const { back, ahead, half } = LIGHT.arrow;
  const beyond = new Set(lit.counted.flat().map(zoneKey));
  let written = "";
  for (const [x, y] of places(lit.territory.map(zoneKey))) {
    for (const [nx, ny] of neighbors(x, y)) {
      if (!beyond.has(at(nx, ny))) continue;
      const [dx, dy] = [nx - x, ny - y];
      const [low, high] = [Math.max(x, nx), Math.max(y, ny)];
      const bent = dy ? bend([x, high], [x + 1, high]) : bend([low, y], [low, y + 1]);
      const cx = (x + 0.5) * SIDE + (dx * SIDE) / 2 + (dx ? bent : 0);
      const cy = (y + 0.5) * SIDE + (dy * SIDE) / 2 + (dy ? bent : 0);
      written +=
        `M${pair(cx - dx * back + dy * half, cy - dy * back + dx * half)}` +
        `L${pair(cx + dx * ahead, cy + dy * ahead)}` +
        `L${pair(cx - dx * back - dy * half, cy - dy * back - dx * half)}Z`;
    }
  }
  return written;
}

/** The line of sight from the tower to a zone. */
function ray(lit: LimesWorker, [zx, zy]: Place): string {
  const { x, y } = zonePlace(lit.zone);
  const { begin } = LIGHT.ray;
  const start = pair((x + 0.5) * SIDE + Math.sign(zx - x) * begin, (y + 0.5) * SIDE + Math.sign(zy - y) * begin);
  return `M${start}L${pair((zx + 0.5) * SIDE, (zy + 0.5) * SIDE)}`;
}

function end([x, y]: Place): string {
  const r = LIGHT.ray.end;
  const arc = `a${r} ${r} 0 1 1 `;
  return `M${pair((x + 0.5) * SIDE - r, (y + 0.5) * SIDE)}${arc}${2 * r} 0${arc}${-2 * r} 0Z`;
}

function counted(lit: LimesWorker): [number, number][] {
  return places(new Set(lit.counted.flat().map(zoneKey)));
}

/** Everything steps back that has no part in the points. */
export function veil(drawn: Shapes): string {
  return layers(LIGHT.veil, drawn);
}

/** The light that falls on what the worker counts; it lies on the ground, under the figures. */
export function light(lit: LimesWorker, land: Land, drawn: Shapes, id: string): string {
  switch (lit.profession) {
    case "farmer":
      return layers(LIGHT.farmer, drawn) + border(drawn.home!);
    case "fisherman":
      return (
        border(drawn.home!) +
        huts(lit, land)
          .map((place) => hut(place, id))
          .join("")
      );
    case "woodcutter":
      return border(drawn.home!) + layers(LIGHT.woodcutter, drawn);
    case "watchman":
      return border(drawn.seen!) + layers(LIGHT.watchman, drawn) + border(drawn.post!);
  }
}

function border(line: string): string {
  return layers(LIGHT.border, { border: line });
}

/** Where the counted huts stand. */
export function huts(lit: LimesWorker, land: Land): Place[] {
  return counted(lit).flatMap(([x, y]): Place[] => {
    const hutAt = hutPlace(x, y, land);
    return hutAt === null ? [] : [[x * SIDE + hutAt, y * SIDE + ART.hut.foot]];
  });
}

function hut([x, y]: Place, id: string): string {
  const { r, up } = LIGHT.hut;
  return `<circle cx="${x}" cy="${y - up}" r="${r}" fill="url(#${id}glow)"/><use href="#limes-hut-lit" x="${x}" y="${y}"/>`;
}

/** The light around a lit hut; `id` names the drawing within the page. */
export function glow(id: string): string {
  const stops = LIGHT.hut.stops.map(([at, share]) => `<stop offset="${at}" stop-color="var(--glow)" stop-opacity="${share}"/>`);
  return `<radialGradient id="${id}glow">${stops.join("")}</radialGradient>`;
}

/** Where what the worker counts is numbered, so that the last number is his points. */
export function numbers(lit: LimesWorker, land: Land): Place[] {
  const self = zoneKey(lit.zone);
  const reading = ([ax, ay]: Place, [bx, by]: Place) => ay - by || ax - bx;
  // A zone without a hut and without the worker himself has the most room for a number.
  const crowded = (place: Place) => (at(...place) === self ? 2 : 0) + (hutPlace(...place, land) === null ? 0 : 1);
  return lit.counted
    .map((zones) => places(zones.map(zoneKey)).sort(reading))
    .sort((a, b) => reading(a[0]!, b[0]!))
    .map((zones) => {
      const [x, y] = zones.reduce((best, zone) => (crowded(zone) < crowded(best) ? zone : best));
      const hutAt = hutPlace(x, y, land);
      const side = hutAt !== null && hutAt < SIDE / 2 ? "right" : "left";
      return [x * SIDE + LIGHT.number[side], y * SIDE + LIGHT.number.y];
    });
}

/** What the worker counts, numbered. */
export function tally(lit: LimesWorker, land: Land): string {
  const { circle, text, drop } = LIGHT.number;
  const drawn = numbers(lit, land).map(
    ([x, y], i) => tag("circle", { cx: x, cy: y, ...circle }) + tag("text", { x, y: number(y + drop) }, String(i + 1)),
  );
  return tag("g", text, drawn.join(""));
}
