/** Which zones belong together, and the inked line around them. */
import { noise } from "$lib/components/noise";
import { ART, number, SIDE } from "./layers";
import { at, neighbors, places, type Land } from "./zones";

type Point = readonly [number, number];
export type Bend = (a: Point, b: Point) => number;

const LINE = ART.outline;

/**
 * The borders of a set of zones: clockwise around it, anticlockwise around its holes. Where two zones meet only at a
 * corner the line turns back, because such zones are not connected.
 */
function loops(zones: ReadonlySet<string>): Point[][] {
  const leaving = new Map<string, Point[]>();
  for (const [x, y] of places(zones)) {
    const corners: Point[] = [
      [x, y],
      [x + 1, y],
      [x + 1, y + 1],
      [x, y + 1],
    ];
    neighbors(x, y).forEach(([nx, ny], side) => {
      if (zones.has(at(nx, ny))) return;
      const from = at(...corners[side]!);
      leaving.set(from, [...(leaving.get(from) ?? []), corners[(side + 1) % 4]!]);
    });
  }
  const found: Point[][] = [];
  for (const start of places(leaving.keys())) {
    if (!leaving.has(at(...start))) continue;
    const loop: Point[] = [start];
    let here: Point = start;
    let heading: Point = [0, 0];
    for (;;) {
      const key = at(...here);
      const ways = leaving.get(key)!;
      const right = at(here[0] - heading[1], here[1] + heading[0]);
      const there = ways.find((way) => at(...way) === right) ?? ways[0]!;
      const rest = ways.filter((way) => way !== there);
      if (rest.length) leaving.set(key, rest);
      else leaving.delete(key);
      heading = [there[0] - here[0], there[1] - here[1]];
      here = there;
      if (at(...here) === at(...start)) break;
      loop.push(here);
    }
    found.push(loop);
  }
  return found;
}

const straight: Bend = () => 0;

/** Inner borders waver as a pen does; both territories at a border share its bend. Outer ones stay straight. */
export function handDrawn(land: Land): Bend {
  return (a, b) => {
    const [low, high] = a[0] < b[0] || a[1] < b[1] ? [a, b] : [b, a];
    const [x, y] = low;
    const beyond = high[0] > x ? at(x, y - 1) : at(x - 1, y);
    if (!land.has(at(x, y)) || !land.has(beyond)) return 0;
    return (noise("bend", ...low, ...high) * 2 - 1) * LINE.bend;
  };
}

/** The outline of a set of zones, holes included, as path data with rounded corners. */
export function outline(zones: ReadonlySet<string>, bend: Bend = straight, radius = LINE.radius): string {
  return loops(zones)
    .map((loop) => rounded(loop, bend, radius))
    .join("");
}

function rounded(loop: Point[], bend: Bend, radius: number): string {
  const count = loop.length;
  const ways = loop.map((a, i): Point => {
    const b = loop[(i + 1) % count]!;
    return [b[0] - a[0], b[1] - a[1]];
  });
  let written = "";
  ways.forEach(([dx, dy], i) => {
    const a = loop[i]!;
    const b = loop[(i + 1) % count]!;
    const before = ways[(i + count - 1) % count]!;
    const after = ways[(i + 1) % count]!;
    const cutA = before[0] === dx && before[1] === dy ? 0 : radius;
    const cutB = after[0] === dx && after[1] === dy ? 0 : radius;
    const [bx, by] = [b[0] * SIDE, b[1] * SIDE];
    const start: Point = [a[0] * SIDE + dx * cutA, a[1] * SIDE + dy * cutA];
    const end: Point = [bx - dx * cutB, by - dy * cutB];
    if (!written) written = `M${pathPoint(...start)}`;
    written += side(start, end, [dx, dy], bend(a, b));
    if (cutB) written += `Q${pathPoint(bx, by)} ${pathPoint(bx + after[0] * radius, by + after[1] * radius)}`;
  });
  return `${written}Z`;
}

function side([sx, sy]: Point, [ex, ey]: Point, [dx, dy]: Point, bent: number): string {
  if (!bent) return `L${pathPoint(ex, ey)}`;
  const mx = (sx + ex) / 2 + (dy ? bent : 0);
  const my = (sy + ey) / 2 + (dx ? bent : 0);
  const { reach } = LINE;
  return (
    `C${pathPoint(sx + dx * reach, sy + dy * reach)} ${pathPoint(mx - dx * reach, my - dy * reach)} ${pathPoint(mx, my)}` +
    `S${pathPoint(ex - dx * reach, ey - dy * reach)} ${pathPoint(ex, ey)}`
  );
}

/** A point of a path. */
export function pathPoint(x: number, y: number): string {
  return `${number(x)} ${number(y)}`;
}
