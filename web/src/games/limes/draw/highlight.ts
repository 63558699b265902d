/** What makes a worker worth his points: what he counts is highlighted, the rest steps back. */
import type { LimesWorker } from "../types";
import { hutOffset } from "./landscape";
import { ART, drawLayers, number, SIDE, tag, type Shapes } from "./layers";
import { handDrawn, outline, pathPoint, type Bend } from "./outline";
import { at, neighbors, places, zoneKey, zonePlace, type Land } from "./zones";

type Place = readonly [number, number];

const LIGHT = ART.highlight;

/** The light on what the worker counts, and the veil on all that has no part in it. */
export function shapes(highlighted: LimesWorker, land: Land): Shapes {
  const bend = handDrawn(land);
  const shown = new Set([...highlighted.territory, ...highlighted.counted.flat()].map(zoneKey));
  const veil = outline(new Set([...land.keys()].filter((zone) => !shown.has(zone))), bend);
  if (highlighted.profession === "watchman") {
    const seen = counted(highlighted);
    return {
      veil,
      seen: seen.map((place) => outline(new Set([at(...place)]))).join(""),
      rays: seen.map((place) => ray(highlighted, place)).join(""),
      ends: seen.map(end).join(""),
      post: outline(new Set([zoneKey(highlighted.zone)])),
    };
  }
  const home = outline(new Set(highlighted.territory.map(zoneKey)), bend);
  return highlighted.profession === "woodcutter" ? { veil, home, borders: borders(highlighted, bend) } : { veil, home };
}

/** Where the forest touches its neighbors: an arrowhead across the border. */
function borders(highlighted: LimesWorker, bend: Bend): string {
  const { back, ahead, half } = LIGHT.arrow;
  const beyond = new Set(highlighted.counted.flat().map(zoneKey));
  let written = "";
  for (const [x, y] of places(highlighted.territory.map(zoneKey))) {
    for (const [nx, ny] of neighbors(x, y)) {
      if (!beyond.has(at(nx, ny))) continue;
      const [dx, dy] = [nx - x, ny - y];
      const [low, high] = [Math.max(x, nx), Math.max(y, ny)];
      const bent = dy ? bend([x, high], [x + 1, high]) : bend([low, y], [low, y + 1]);
      const cx = (x + 0.5) * SIDE + (dx * SIDE) / 2 + (dx ? bent : 0);
      const cy = (y + 0.5) * SIDE + (dy * SIDE) / 2 + (dy ? bent : 0);
      written +=
        `M${pathPoint(cx - dx * back + dy * half, cy - dy * back + dx * half)}` +
        `L${pathPoint(cx + dx * ahead, cy + dy * ahead)}` +
        `L${pathPoint(cx - dx * back - dy * half, cy - dy * back - dx * half)}Z`;
    }
  }
  return written;
}

/** The line of sight from the tower to a zone. */
function ray(highlighted: LimesWorker, [zx, zy]: Place): string {
  const { x, y } = zonePlace(highlighted.zone);
  const { begin } = LIGHT.ray;
  const start = pathPoint((x + 0.5) * SIDE + Math.sign(zx - x) * begin, (y + 0.5) * SIDE + Math.sign(zy - y) * begin);
  return `M${start}L${pathPoint((zx + 0.5) * SIDE, (zy + 0.5) * SIDE)}`;
}

function end([x, y]: Place): string {
  const r = LIGHT.ray.end;
  const arc = `a${r} ${r} 0 1 1 `;
  return `M${pathPoint((x + 0.5) * SIDE - r, (y + 0.5) * SIDE)}${arc}${2 * r} 0${arc}${-2 * r} 0Z`;
}

function counted(highlighted: LimesWorker): [number, number][] {
  return places(new Set(highlighted.counted.flat().map(zoneKey)));
}

/** Everything steps back that has no part in the points. */
export function drawVeil(drawn: Shapes): string {
  return drawLayers(LIGHT.veil, drawn);
}

/** The light that falls on what the worker counts; it lies on the ground, under the figures. */
export function drawLight(highlighted: LimesWorker, land: Land, drawn: Shapes, id: string): string {
  switch (highlighted.profession) {
    case "farmer":
      return drawLayers(LIGHT.farmer, drawn) + border(drawn.home!);
    case "fisherman":
      return (
        border(drawn.home!) +
        hutPositions(highlighted, land)
          .map((place) => hut(place, id))
          .join("")
      );
    case "woodcutter":
      return border(drawn.home!) + drawLayers(LIGHT.woodcutter, drawn);
    case "watchman":
      return border(drawn.seen!) + drawLayers(LIGHT.watchman, drawn) + border(drawn.post!);
  }
}

function border(line: string): string {
  return drawLayers(LIGHT.border, { border: line });
}

/** Where the counted huts stand. */
export function hutPositions(highlighted: LimesWorker, land: Land): Place[] {
  return counted(highlighted).flatMap(([x, y]): Place[] => {
    const hutAt = hutOffset(x, y, land);
    return hutAt === null ? [] : [[x * SIDE + hutAt, y * SIDE + ART.hut.foot]];
  });
}

function hut([x, y]: Place, id: string): string {
  const { r, up } = LIGHT.hut;
  return `<circle cx="${x}" cy="${y - up}" r="${r}" fill="url(#${id}glow)"/><use href="#limes-hut-lit" x="${x}" y="${y}"/>`;
}

/** The light around a highlighted hut; `id` names the drawing within the page. */
export function glowGradient(id: string): string {
  const stops = LIGHT.hut.stops.map(([at, share]) => `<stop offset="${at}" stop-color="var(--glow)" stop-opacity="${share}"/>`);
  return `<radialGradient id="${id}glow">${stops.join("")}</radialGradient>`;
}

/** Where what the worker counts is numbered, so that the last number is his points. */
export function numberPositions(highlighted: LimesWorker, land: Land): Place[] {
  const self = zoneKey(highlighted.zone);
  const reading = ([ax, ay]: Place, [bx, by]: Place) => ay - by || ax - bx;
  // A zone without a hut and without the worker himself has the most room for a number.
  const crowded = (place: Place) => (at(...place) === self ? 2 : 0) + (hutOffset(...place, land) === null ? 0 : 1);
  return highlighted.counted
    .map((zones) => places(zones.map(zoneKey)).sort(reading))
    .sort((a, b) => reading(a[0]!, b[0]!))
    .map((zones) => {
      const [x, y] = zones.reduce((best, zone) => (crowded(zone) < crowded(best) ? zone : best));
      const hutAt = hutOffset(x, y, land);
      const side = hutAt !== null && hutAt < SIDE / 2 ? "right" : "left";
      return [x * SIDE + LIGHT.number[side], y * SIDE + LIGHT.number.y];
    });
}

/** What the worker counts, numbered. */
export function drawNumbers(highlighted: LimesWorker, land: Land): string {
  const { circle, text, drop } = LIGHT.number;
  const drawn = numberPositions(highlighted, land).map(
    ([x, y], i) => tag("circle", { cx: x, cy: y, ...circle }) + tag("text", { x, y: number(y + drop) }, String(i + 1)),
  );
  return tag("g", text, drawn.join(""));
}
