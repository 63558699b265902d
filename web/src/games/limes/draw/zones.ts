/** Zones by their names and by their places: x and y run from 0 to 13, two zones to a cell, y growing downwards. */
import type { LimesDisplay } from "$lib/api";

/** Length of a zone's side in the units of every drawing. */
export const SIDE = 100;
export const CARD = 2 * SIDE;
export const QUARTERS = ["nw", "ne", "sw", "se"] as const;

export type Landscape = "F" | "W" | "T" | "R";

export interface Ground {
  x: number;
  y: number;
  landscape: Landscape;
  hut: boolean;
}

/** The ground by `x,y`. */
export type Land = ReadonlyMap<string, Ground>;

export function at(x: number, y: number): string {
  return `${x},${y}`;
}

/** Column and row of a zone such as `d4.ne`. */
export function zonePlace(name: string): { x: number; y: number } {
  const cell = cellPlace(name);
  return { x: 2 * cell.column + (name[4] === "e" ? 1 : 0), y: 2 * cell.row + (name[3] === "s" ? 1 : 0) };
}

export function cellPlace(name: string): { column: number; row: number } {
  return { column: name.charCodeAt(0) - 97, row: Number(name[1]) - 1 };
}

export function cellName(column: number, row: number): string {
  return String.fromCharCode(97 + column) + String(row + 1);
}

export function ground(x: number, y: number, written: string): Ground {
  return { x, y, landscape: written[0] as Landscape, hut: written.endsWith("*") };
}

/** The ground of a display. */
export function landOf(zones: LimesDisplay["zones"]): Land {
  const land = new Map<string, Ground>();
  for (const [name, written] of Object.entries(zones)) {
    const { x, y } = zonePlace(name);
    land.set(at(x, y), ground(x, y, written));
  }
  return land;
}

/** The ground of a single card whose north-west zone is at a place. */
export function cardLand(face: readonly string[], x = 0, y = 0): Land {
  return new Map(face.map((written, i) => [at(x + (i % 2), y + (i >> 1)), ground(x + (i % 2), y + (i >> 1), written)]));
}

/** The zones of a loose card that are drawn as one piece. Of displays the server says what belongs together. */
export function pieces(land: Land): Ground[][] {
  const left = new Map(land);
  const found: Ground[][] = [];
  for (const [key, first] of land) {
    if (!left.delete(key)) continue;
    const piece = [first];
    for (const { x, y, landscape } of piece) {
      if (landscape === "R") continue;
      for (const [nx, ny] of neighbours(x, y)) {
        const next = left.get(at(nx, ny));
        if (next?.landscape === landscape && left.delete(at(nx, ny))) piece.push(next);
      }
    }
    found.push(piece);
  }
  return found;
}

/** The places north, east, south and west. */
export function neighbours(x: number, y: number): [number, number][] {
  return [
    [x, y - 1],
    [x + 1, y],
    [x, y + 1],
    [x - 1, y],
  ];
}

/** A number in [0, 1) that depends on the key alone, so that a drawing never changes by itself. */
export function chance(what: string, ...key: number[]): number {
  let hash = 0x811c9dc5;
  for (const part of [what, ...key]) {
    const text = String(part);
    for (let i = 0; i <= text.length; i++) hash = Math.imul(hash ^ (text.charCodeAt(i) || 0x9e), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

/** With at most one decimal, as short as possible. */
export function short(value: number): string {
  return String(Math.round(value * 10) / 10 || 0);
}
