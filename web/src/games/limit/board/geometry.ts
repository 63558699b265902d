/**
 * Geometry of the drawn board, the same as in the Python package. The board is seen from slightly south, so vertical
 * distances are shorter.
 */
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

/** Factor by which the view from the south shortens vertical distances. The symbols are drawn for it. */
export const TILT = 0.84;
/** Distance from the center of a tile to its corners, before the tilt. */
export const RADIUS = 50;
/** Height of a picture divided by its width: the same for all positions, so that the board does not jump. */
export const ASPECT = 0.84;
/** Horizontal distance between adjacent tiles of a row. */
export const COLUMN = RADIUS * Math.sqrt(3);
/** Vertical distance between rows. */
export const ROW = RADIUS * 1.5 * TILT;
/** Smallest width of a picture, so that a board with few tiles is not enlarged too much. */
const MIN_WIDTH = 470;
/** Offsets of the adjacent places. */
const DIRECTIONS: readonly (readonly [number, number])[] = [
  [1, 0],
  [1, -1],
  [0, -1],
  [-1, 0],
  [-1, 1],
  [0, 1],
];

export function parsePlace(name: string): Place {
  return { q: name.charCodeAt(0) - 97, r: Number(name.slice(1)) };
}

export function placeName({ q, r }: Place): string {
  return String.fromCharCode(97 + q) + r;
}

/** Return the names of the adjacent places, without those that have no name. */
export function adjacentPlaces(name: string): string[] {
  const { q, r } = parsePlace(name);
  return DIRECTIONS.map(([dq, dr]) => ({ q: q + dq, r: r + dr }))
    .filter((adjacent) => adjacent.q >= 0 && adjacent.q < 26 && adjacent.r >= 0 && adjacent.r < 100)
    .map(placeName);
}

/** Return the center of the upper face of a tile. */
export function centerOf({ q, r }: Place): Point {
  return { x: COLUMN * (q + r / 2), y: ROW * r };
}

export function center(name: string): Point {
  return centerOf(parsePlace(name));
}

/** Return the names without duplicates, from far to near, because near tiles and pawns cover parts of far ones. */
export function paintingOrder(names: Iterable<string>): string[] {
  const rank = (name: string): number => Number(name.slice(1)) * 100 + name.charCodeAt(0);
  return [...new Set(names)].sort((a, b) => rank(a) - rank(b));
}

/** Return the aspect ratio that fits all tiles of a game with the least unused width, for phones. */
export function narrowAspect(layout: Iterable<string>): number {
  const points = [...layout].map(center);
  const span = (values: number[]): number => Math.max(...values) - Math.min(...values) + 104;
  const [width, height] = [span(points.map((point) => point.x)), span(points.map((point) => point.y))];
  return Math.min(1.05, Math.max(0.72, height / width || ASPECT));
}

/** Return the smallest box with the aspect ratio that shows all tiles in its middle; `close` leaves less water around them. */
export function viewBox(names: Iterable<string>, aspect = ASPECT, close = false): Box {
  const points = [...names].map(center);
  if (points.length === 0) points.push({ x: 0, y: 0 });
  const xs = points.map((point) => point.x);
  const ys = points.map((point) => point.y);
  const [left, right] = [Math.min(...xs) - 43, Math.max(...xs) + 43];
  // A pawn is higher than the far edge of its tile, and the side of a tile is visible below its near edge.
  const [top, bottom] = [Math.min(...ys) - 52, Math.max(...ys) + 52];
  const [stretch, margin] = close ? [1, 16] : [1.06, 32];
  const width = Math.max(MIN_WIDTH, (right - left) * stretch + margin, ((bottom - top) * stretch + margin) / aspect);
  const height = width * aspect;
  return { x: (left + right - width) / 2, y: (top + bottom - height) / 2, width, height };
}

/** Return the path of the hexagon around a point. */
export function hexagonPath({ x, y }: Point, radius = RADIUS): string {
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
  return `M${corners.map(([a, b]) => `${formatNumber(a)} ${formatNumber(b)}`).join("L")}Z`;
}

/** Return waves on visible places that are not next to a tile. Their positions are pseudorandom and always the same. */
export function wavePath(visible: Box, tiles: Iterable<string>): string {
  const coast = new Set<string>();
  for (const name of tiles) {
    const { q, r } = parsePlace(name);
    coast.add(`${q},${r}`);
    for (const [dq, dr] of DIRECTIONS) coast.add(`${q + dq},${r + dr}`);
  }
  let path = "";
  for (let r = Math.floor(visible.y / ROW); r <= Math.ceil((visible.y + visible.height) / ROW); r++) {
    const first = Math.floor(visible.x / COLUMN - r / 2);
    for (let q = first; q < first + Math.ceil(visible.width / COLUMN) + 2; q++) {
      if (coast.has(`${q},${r}`)) continue;
      if (noise("wave", q, r) >= 1 / 3) continue;
      const middle = centerOf({ q, r });
      const x = middle.x + 23 * (noise("wave east", q, r) - 0.5);
      const y = middle.y + 17 * (noise("wave south", q, r) - 0.5);
      path += `M${formatNumber(x - 12)} ${formatNumber(y)}q4 -5 8 0t8 0t8 0`;
    }
  }
  return path;
}

/** Return a shortest route over the free tiles, or only its ends if there is none. */
export function route(start: string, end: string, free: Iterable<string>): string[] {
  const open = new Set(free).add(start).add(end);
  const cameFrom = new Map<string, string>([[start, start]]);
  const queue = [start];
  for (const here of queue) {
    if (here === end) break;
    const { q, r } = parsePlace(here);
    for (const [dq, dr] of DIRECTIONS) {
      const there = placeName({ q: q + dq, r: r + dr });
      if (open.has(there) && !cameFrom.has(there)) {
        cameFrom.set(there, here);
        queue.push(there);
      }
    }
  }
  if (!cameFrom.has(end)) return [start, end];
  const route = [end];
  for (let here = end; here !== start; route.push(here)) here = cameFrom.get(here) ?? start;
  return route.reverse();
}

/** Return a smooth path along the tiles. */
export function smoothPath(route: readonly string[]): string {
  const [from, ...rest] = route.map(center);
  if (from === undefined) return "";
  const [next] = rest;
  // Leave space for the mark around the start.
  const x = next ? from.x + (next.x - from.x) * 0.34 : from.x;
  const y = next ? from.y + (next.y - from.y) * 0.34 : from.y;
  let path = `M${formatNumber(x)} ${formatNumber(y)}`;
  rest.forEach((a, index) => {
    const b = rest[index + 1];
    if (b) path += `Q${formatNumber(a.x)} ${formatNumber(a.y)} ${formatNumber((a.x + b.x) / 2)} ${formatNumber((a.y + b.y) / 2)}`;
    else path += `L${formatNumber(a.x)} ${formatNumber(a.y)}`;
  });
  return path;
}

/** Return the tile at a point; null if no tile is close. */
export function tileAt(point: Point, names: Iterable<string>): string | null {
  let best: string | null = null;
  let minDistance = (RADIUS * 0.98) ** 2;
  for (const name of names) {
    const middle = center(name);
    const distance = (point.x - middle.x) ** 2 + ((point.y - middle.y) / TILT) ** 2;
    if (distance < minDistance) [best, minDistance] = [name, distance];
  }
  return best;
}

/** Return the tile that is nearest to a place. */
export function tileNearestToPlace(from: string, names: Iterable<string>): string | null {
  const start = center(from);
  const distance = (name: string): number => Math.hypot(center(name).x - start.x, center(name).y - start.y);
  return [...names].sort((a, b) => distance(a) - distance(b))[0] ?? null;
}

/** Return the nearest tile in the direction of an arrow key; distance aside costs more than distance ahead. */
export function tileInDirection(from: string, direction: Direction, names: Iterable<string>): string | null {
  const start = center(from);
  const sideways = direction === "left" || direction === "right";
  const sign = direction === "left" || direction === "up" ? -1 : 1;
  let best: string | null = null;
  let minCost = Infinity;
  for (const name of names) {
    const end = center(name);
    const ahead = sign * (sideways ? end.x - start.x : end.y - start.y);
    const aside = Math.abs(sideways ? end.y - start.y : end.x - start.x);
    if (ahead < 1) continue;
    // Break ties by the horizontal position, so that up is the reverse of down.
    const tieBreak = sideways ? 0 : (end.x - start.x) * sign * 0.01;
    const cost = ahead + aside * (sideways ? 2.5 : 1.2) + tieBreak;
    if (cost < minCost) [best, minCost] = [name, cost];
  }
  return best;
}

/** Format a number with at most one decimal. */
export function formatNumber(value: number): string {
  return String(Math.floor(value * 10 + 0.5) / 10);
}
