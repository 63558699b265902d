// Where things stand in a drawing: the board seen from a little to the south, so rows are nearer than they are wide.
// The same figures as in the pictures that Python draws.

import { noise } from "$lib/components/noise";

export interface Point {
  x: number;
  y: number;
}

/** Axial coordinates: q is the letter of a tile's name (a = 0), r its number. */
export interface Place {
  q: number;
  r: number;
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export type Direction = "left" | "right" | "up" | "down";

/** How much the view from the south shortens the board from north to south; the symbols are drawn for it. */
export const TILT = 0.84;
/** From the middle of a tile's place to its corner, before the tilt. */
export const RADIUS = 50;
/** Height of a picture by its width: the same for every position, so that the board does not jump. */
export const ASPECT = 0.84;
export const COLUMN = RADIUS * Math.sqrt(3);
export const ROW = RADIUS * 1.5 * TILT;
// Below this width a board of a few tiles would be blown up out of all proportion.
const LEAST_WIDTH = 470;
const STEPS: readonly (readonly [number, number])[] = [
  [1, 0],
  [1, -1],
  [0, -1],
  [-1, 0],
  [-1, 1],
  [0, 1],
];

export function place(name: string): Place {
  return { q: name.charCodeAt(0) - 97, r: Number(name.slice(1)) };
}

export function nameOf({ q, r }: Place): string {
  return String.fromCharCode(97 + q) + r;
}

/** The places beside one, as far as they have names. */
export function beside(name: string): string[] {
  const { q, r } = place(name);
  return STEPS.map(([dq, dr]) => ({ q: q + dq, r: r + dr }))
    .filter((near) => near.q >= 0 && near.q < 26 && near.r >= 0 && near.r < 100)
    .map(nameOf);
}

/** The middle of the upper face of the tile on a place. */
export function centerOf({ q, r }: Place): Point {
  return { x: COLUMN * (q + r / 2), y: ROW * r };
}

export function center(name: string): Point {
  return centerOf(place(name));
}

/** The names, each once, from the farthest to the nearest, since the nearer ones may hide a part of the farther. */
export function paintingOrder(names: Iterable<string>): string[] {
  const rank = (name: string): number => Number(name.slice(1)) * 100 + name.charCodeAt(0);
  return [...new Set(names)].sort((a, b) => rank(a) - rank(b));
}

/** The proportions that waste the least width on all tiles of a game, for where only the width is scarce. */
export function slimAspect(layout: Iterable<string>): number {
  const points = [...layout].map(center);
  const side = (values: number[]): number => Math.max(...values) - Math.min(...values) + 104;
  const [wide, high] = [side(points.map((point) => point.x)), side(points.map((point) => point.y))];
  return Math.min(1.05, Math.max(0.72, high / wide || ASPECT));
}

/** The smallest picture, of constant proportions, with all the tiles in its middle. A close one spares the water. */
export function view(names: Iterable<string>, aspect = ASPECT, close = false): Box {
  const points = [...names].map(center);
  if (points.length === 0) points.push({ x: 0, y: 0 });
  const xs = points.map((point) => point.x);
  const ys = points.map((point) => point.y);
  const [left, right] = [Math.min(...xs) - 43, Math.max(...xs) + 43];
  // a pawn stands higher than the far edge of its tile, the side of a tile is seen below the near one
  const [top, bottom] = [Math.min(...ys) - 52, Math.max(...ys) + 52];
  const [stretch, rim] = close ? [1, 16] : [1.06, 32];
  const width = Math.max(LEAST_WIDTH, (right - left) * stretch + rim, ((bottom - top) * stretch + rim) / aspect);
  const height = width * aspect;
  return { x: (left + right - width) / 2, y: (top + bottom - height) / 2, width, height };
}

/** Path of the hexagon around a point. */
export function hexagon({ x, y }: Point, radius = RADIUS): string {
  const half = (radius * Math.sqrt(3)) / 2;
  const quarter = (radius * TILT) / 2;
  const corners: [number, number][] = [
    [x, y - 2 * quarter],
    [x + half, y - quarter],
    [x + half, y + quarter],
    [x, y + 2 * quarter],
    [x - half, y + quarter],
    [x - half, y - quarter],
  ];
  return `M${corners.map(([a, b]) => `${short(a)} ${short(b)}`).join("L")}Z`;
}

/** Wave lines on the places in view that no tile is on or beside: scattered, but always the same. */
export function waves(visible: Box, land: Iterable<string>): string {
  const coast = new Set<string>();
  for (const name of land) {
    const { q, r } = place(name);
    coast.add(`${q},${r}`);
    for (const [dq, dr] of STEPS) coast.add(`${q + dq},${r + dr}`);
  }
  let drawn = "";
  for (let r = Math.floor(visible.y / ROW); r <= Math.ceil((visible.y + visible.height) / ROW); r++) {
    const first = Math.floor(visible.x / COLUMN - r / 2);
    for (let q = first; q < first + Math.ceil(visible.width / COLUMN) + 2; q++) {
      if (coast.has(`${q},${r}`)) continue;
      if (noise("wave", q, r) >= 1 / 3) continue;
      const middle = centerOf({ q, r });
      const x = middle.x + 23 * (noise("wave east", q, r) - 0.5);
      const y = middle.y + 17 * (noise("wave south", q, r) - 0.5);
      drawn += `M${short(x - 12)} ${short(y)}q4 -5 8 0t8 0t8 0`;
    }
  }
  return drawn;
}

/** A shortest way over these tiles for a path to be drawn along, or the straight line if they show none. */
export function route(start: string, end: string, free: Iterable<string>): string[] {
  const open = new Set(free).add(start).add(end);
  const cameFrom = new Map<string, string>([[start, start]]);
  const queue = [start];
  for (const here of queue) {
    if (here === end) break;
    const { q, r } = place(here);
    for (const [dq, dr] of STEPS) {
      const there = nameOf({ q: q + dq, r: r + dr });
      if (open.has(there) && !cameFrom.has(there)) {
        cameFrom.set(there, here);
        queue.push(there);
      }
    }
  }
  if (!cameFrom.has(end)) return [start, end];
  const way = [end];
  for (let here = end; here !== start; way.push(here)) here = cameFrom.get(here) ?? start;
  return way.reverse();
}

/** A path along the tiles that rounds every bend. */
export function softPath(way: readonly string[]): string {
  const [from, ...rest] = way.map(center);
  if (from === undefined) return "";
  const [next] = rest;
  // leave room for the mark of the place where it begins
  const x = next ? from.x + (next.x - from.x) * 0.34 : from.x;
  const y = next ? from.y + (next.y - from.y) * 0.34 : from.y;
  let path = `M${short(x)} ${short(y)}`;
  rest.forEach((a, index) => {
    const b = rest[index + 1];
    if (b) path += `Q${short(a.x)} ${short(a.y)} ${short((a.x + b.x) / 2)} ${short((a.y + b.y) / 2)}`;
    else path += `L${short(a.x)} ${short(a.y)}`;
  });
  return path;
}

/** The tile of which a point is nearest to the middle, if it is on or close to one. */
export function tileAt(point: Point, names: Iterable<string>): string | null {
  let best: string | null = null;
  let least = (RADIUS * 0.98) ** 2;
  for (const name of names) {
    const middle = center(name);
    const distance = (point.x - middle.x) ** 2 + ((point.y - middle.y) / TILT) ** 2;
    if (distance < least) [best, least] = [name, distance];
  }
  return best;
}

/** The tile nearest to where another is, or was. */
export function nearest(from: string, names: Iterable<string>): string | null {
  const start = center(from);
  const far = (name: string): number => Math.hypot(center(name).x - start.x, center(name).y - start.y);
  return [...names].sort((a, b) => far(a) - far(b))[0] ?? null;
}

/** The tile that an arrow key leads to: the nearest one that way, rather straight ahead than aside. */
export function neighbor(from: string, direction: Direction, names: Iterable<string>): string | null {
  const start = center(from);
  const sideways = direction === "left" || direction === "right";
  const sign = direction === "left" || direction === "up" ? -1 : 1;
  let best: string | null = null;
  let least = Infinity;
  for (const name of names) {
    const end = center(name);
    const ahead = sign * (sideways ? end.x - start.x : end.y - start.y);
    const aside = Math.abs(sideways ? end.y - start.y : end.x - start.x);
    if (ahead < 1) continue;
    // a little to the right first, so that the way down and the way up are each other's
    const lean = sideways ? 0 : (end.x - start.x) * sign * 0.01;
    const cost = ahead + aside * (sideways ? 2.5 : 1.2) + lean;
    if (cost < least) [best, least] = [name, cost];
  }
  return best;
}

export function short(value: number): string {
  return String(Math.floor(value * 10 + 0.5) / 10);
}
