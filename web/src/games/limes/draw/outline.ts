/** Outlines of sets of zones. */
import { noise } from "$lib/components/noise";
import { ART, number, SIDE } from "./layers";
import { positionKey, neighbors, positions, type GroundMap } from "./zones";

type Point = readonly [number, number];
/** Returns how far the middle of the border between two corners bends aside. */
export type Bend = (a: Point, b: Point) => number;

const STYLE = ART.outline;

/**
 * Return the borders of a set of zones, clockwise around it and counterclockwise around its holes. Zones that touch
 * only at a corner are not connected, so their borders turn away from each other next.
 */
function loops(zones: ReadonlySet<string>): Point[][] {
  const edges = new Map<string, Point[]>();
  for (const [x, y] of positions(zones)) {
    const corners: Point[] = [
      [x, y],
      [x + 1, y],
      [x + 1, y + 1],
      [x, y + 1],
    ];
    neighbors(x, y).forEach(([nx, ny], side) => {
      if (zones.has(positionKey(nx, ny))) return;
      const from = positionKey(...corners[side]!);
      edges.set(from, [...(edges.get(from) ?? []), corners[(side + 1) % 4]!]);
    });
  }
  const borders: Point[][] = [];
  for (const start of positions(edges.keys())) {
    if (!edges.has(positionKey(...start))) continue;
    const loop: Point[] = [start];
    let corner: Point = start;
    let direction: Point = [0, 0];
    for (;;) {
      const key = positionKey(...corner);
      const ends = edges.get(key)!;
      const right = positionKey(corner[0] - direction[1], corner[1] + direction[0]);
      const next = ends.find((end) => positionKey(...end) === right) ?? ends[0]!;
      const rest = ends.filter((end) => end !== next);
      if (rest.length) edges.set(key, rest);
      else edges.delete(key);
      direction = [next[0] - corner[0], next[1] - corner[1]];
      corner = next;
      if (positionKey(...corner) === positionKey(...start)) break;
      loop.push(corner);
    }
    borders.push(loop);
  }
  return borders;
}

const straight: Bend = () => 0;

/** Return the bend of hand-drawn borders: random inside the ground, the same for both territories, zero at its edge. */
export function handDrawn(ground: GroundMap): Bend {
  return (a, b) => {
    const [low, high] = a[0] < b[0] || a[1] < b[1] ? [a, b] : [b, a];
    const [x, y] = low;
    const beyond = high[0] > x ? positionKey(x, y - 1) : positionKey(x - 1, y);
    if (!ground.has(positionKey(x, y)) || !ground.has(beyond)) return 0;
    return (noise("bend", ...low, ...high) * 2 - 1) * STYLE.bend;
  };
}

/** Return the outline of a set of zones, including holes, as path data with rounded corners. */
export function outline(zones: ReadonlySet<string>, bend: Bend = straight, radius = STYLE.radius): string {
  return loops(zones)
    .map((loop) => rounded(loop, bend, radius))
    .join("");
}

function rounded(loop: Point[], bend: Bend, radius: number): string {
  const count = loop.length;
  const directions = loop.map((a, i): Point => {
    const b = loop[(i + 1) % count]!;
    return [b[0] - a[0], b[1] - a[1]];
  });
  let path = "";
  directions.forEach(([dx, dy], i) => {
    const a = loop[i]!;
    const b = loop[(i + 1) % count]!;
    const before = directions[(i + count - 1) % count]!;
    const after = directions[(i + 1) % count]!;
    const cutA = before[0] === dx && before[1] === dy ? 0 : radius;
    const cutB = after[0] === dx && after[1] === dy ? 0 : radius;
    const [bx, by] = [b[0] * SIDE, b[1] * SIDE];
    const start: Point = [a[0] * SIDE + dx * cutA, a[1] * SIDE + dy * cutA];
    const end: Point = [bx - dx * cutB, by - dy * cutB];
    if (!path) path = `M${pathPoint(...start)}`;
    path += side(start, end, [dx, dy], bend(a, b));
    if (cutB) path += `Q${pathPoint(bx, by)} ${pathPoint(bx + after[0] * radius, by + after[1] * radius)}`;
  });
  return `${path}Z`;
}

/** Return one side of an outline, bent aside by `offset` in its middle. */
function side([sx, sy]: Point, [ex, ey]: Point, [dx, dy]: Point, offset: number): string {
  if (!offset) return `L${pathPoint(ex, ey)}`;
  const mx = (sx + ex) / 2 + (dy ? offset : 0);
  const my = (sy + ey) / 2 + (dx ? offset : 0);
  const { reach } = STYLE;
  return (
    `C${pathPoint(sx + dx * reach, sy + dy * reach)} ${pathPoint(mx - dx * reach, my - dy * reach)} ${pathPoint(mx, my)}` +
    `S${pathPoint(ex - dx * reach, ey - dy * reach)} ${pathPoint(ex, ey)}`
  );
}

/** Format a point of a path. */
export function pathPoint(x: number, y: number): string {
  return `${number(x)} ${number(y)}`;
}
