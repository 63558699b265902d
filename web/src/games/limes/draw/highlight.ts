/** The explanation of a worker's points: the zones he counts are highlighted, all others are veiled. */
import type { LimesWorker } from "../types";
import { hutOffset } from "./landscape";
import { ART, drawLayers, number, SIDE, tag, type Shapes } from "./layers";
import { handDrawn, outline, pathPoint, type Bend } from "./outline";
import { positionKey, neighbors, positions, zoneKey, zonePosition, type GroundMap } from "./zones";

type Point = readonly [number, number];

const STYLE = ART.highlight;

/** Return the shapes of the highlight and of the veil. */
export function shapes(highlighted: LimesWorker, ground: GroundMap): Shapes {
  const bend = handDrawn(ground);
  const visible = new Set([...highlighted.territory, ...highlighted.counted.flat()].map(zoneKey));
  const veil = outline(new Set([...ground.keys()].filter((zone) => !visible.has(zone))), bend);
  if (highlighted.profession === "watchman") {
    const watched = countedZones(highlighted);
    return {
      veil,
      seen: watched.map((zone) => outline(new Set([positionKey(...zone)]))).join(""),
      rays: watched.map((zone) => ray(highlighted, zone)).join(""),
      ends: watched.map(end).join(""),
      post: outline(new Set([zoneKey(highlighted.zone)])),
    };
  }
  const home = outline(new Set(highlighted.territory.map(zoneKey)), bend);
  return highlighted.profession === "woodcutter" ? { veil, home, borders: borders(highlighted, bend) } : { veil, home };
}

/** Return an arrowhead across each border between the forest and a counted neighbor. */
function borders(highlighted: LimesWorker, bend: Bend): string {
  const { back, ahead, half } = STYLE.arrow;
  const beyond = new Set(highlighted.counted.flat().map(zoneKey));
  let path = "";
  for (const [x, y] of positions(highlighted.territory.map(zoneKey))) {
    for (const [nx, ny] of neighbors(x, y)) {
      if (!beyond.has(positionKey(nx, ny))) continue;
      const [dx, dy] = [nx - x, ny - y];
      const [low, high] = [Math.max(x, nx), Math.max(y, ny)];
      const offset = dy ? bend([x, high], [x + 1, high]) : bend([low, y], [low, y + 1]);
      const cx = (x + 0.5) * SIDE + (dx * SIDE) / 2 + (dx ? offset : 0);
      const cy = (y + 0.5) * SIDE + (dy * SIDE) / 2 + (dy ? offset : 0);
      path +=
        `M${pathPoint(cx - dx * back + dy * half, cy - dy * back + dx * half)}` +
        `L${pathPoint(cx + dx * ahead, cy + dy * ahead)}` +
        `L${pathPoint(cx - dx * back - dy * half, cy - dy * back - dx * half)}Z`;
    }
  }
  return path;
}

/** Return the line of sight from the tower to a zone. */
function ray(highlighted: LimesWorker, [zx, zy]: Point): string {
  const { x, y } = zonePosition(highlighted.zone);
  const { begin } = STYLE.ray;
  const start = pathPoint((x + 0.5) * SIDE + Math.sign(zx - x) * begin, (y + 0.5) * SIDE + Math.sign(zy - y) * begin);
  return `M${start}L${pathPoint((zx + 0.5) * SIDE, (zy + 0.5) * SIDE)}`;
}

/** Return the circle at the end of a line of sight. */
function end([x, y]: Point): string {
  const r = STYLE.ray.end;
  const arc = `a${r} ${r} 0 1 1 `;
  return `M${pathPoint((x + 0.5) * SIDE - r, (y + 0.5) * SIDE)}${arc}${2 * r} 0${arc}${-2 * r} 0Z`;
}

function countedZones(highlighted: LimesWorker): [number, number][] {
  return positions(new Set(highlighted.counted.flat().map(zoneKey)));
}

/** Draw the veil on all zones that do not count. */
export function drawVeil(drawn: Shapes): string {
  return drawLayers(STYLE.veil, drawn);
}

/** Draw the highlight of the zones that count. It lies on the ground, under the figures. */
export function drawLight(highlighted: LimesWorker, ground: GroundMap, drawn: Shapes, id: string): string {
  switch (highlighted.profession) {
    case "farmer":
      return drawLayers(STYLE.farmer, drawn) + border(drawn.home!);
    case "fisherman":
      return (
        border(drawn.home!) +
        hutPositions(highlighted, ground)
          .map((position) => hut(position, id))
          .join("")
      );
    case "woodcutter":
      return border(drawn.home!) + drawLayers(STYLE.woodcutter, drawn);
    case "watchman":
      return border(drawn.seen!) + drawLayers(STYLE.watchman, drawn) + border(drawn.post!);
  }
}

function border(line: string): string {
  return drawLayers(STYLE.border, { border: line });
}

/** Return the positions of the counted huts. */
export function hutPositions(highlighted: LimesWorker, ground: GroundMap): Point[] {
  return countedZones(highlighted).flatMap(([x, y]): Point[] => {
    const hutX = hutOffset(x, y, ground);
    return hutX === null ? [] : [[x * SIDE + hutX, y * SIDE + ART.hut.foot]];
  });
}

function hut([x, y]: Point, id: string): string {
  const { r, up } = STYLE.hut;
  return `<circle cx="${x}" cy="${y - up}" r="${r}" fill="url(#${id}glow)"/><use href="#limes-hut-lit" x="${x}" y="${y}"/>`;
}

/** Return the gradient around a highlighted hut; `id` is the id of the drawing in the page. */
export function glowGradient(id: string): string {
  const stops = STYLE.hut.stops.map(
    ([offset, opacity]) => `<stop offset="${offset}" stop-color="var(--glow)" stop-opacity="${opacity}"/>`,
  );
  return `<radialGradient id="${id}glow">${stops.join("")}</radialGradient>`;
}

/** Return the positions of the numbers from 1 to the worker's points, one for each counted item. */
export function numberPositions(highlighted: LimesWorker, ground: GroundMap): Point[] {
  const ownZone = zoneKey(highlighted.zone);
  const byReadingOrder = ([ax, ay]: Point, [bx, by]: Point) => ay - by || ax - bx;
  // Prefer a zone without the worker and without a hut, which has the most space for a number.
  const clutter = (zone: Point) => (positionKey(...zone) === ownZone ? 2 : 0) + (hutOffset(...zone, ground) === null ? 0 : 1);
  return highlighted.counted
    .map((zones) => positions(zones.map(zoneKey)).sort(byReadingOrder))
    .sort((a, b) => byReadingOrder(a[0]!, b[0]!))
    .map((zones) => {
      const [x, y] = zones.reduce((best, zone) => (clutter(zone) < clutter(best) ? zone : best));
      const hutX = hutOffset(x, y, ground);
      const side = hutX !== null && hutX < SIDE / 2 ? "right" : "left";
      return [x * SIDE + STYLE.number[side], y * SIDE + STYLE.number.y];
    });
}

/** Draw the numbers on what the worker counts. */
export function drawNumbers(highlighted: LimesWorker, ground: GroundMap): string {
  const { circle, text, drop } = STYLE.number;
  const drawn = numberPositions(highlighted, ground).map(
    ([x, y], i) => tag("circle", { cx: x, cy: y, ...circle }) + tag("text", { x, y: number(y + drop) }, String(i + 1)),
  );
  return tag("g", text, drawn.join(""));
}
