/** Zones by their names and by their places: x and y run from 0 to 13, two zones to a cell, y growing downwards. */
import type { LimesDisplay } from "../types";

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

/** The places of such keys, from left to right, and in a column from top to bottom. */
export function places(keys: Iterable<string>): [number, number][] {
  return [...keys].map((key) => key.split(",").map(Number) as [number, number]).sort(([ax, ay], [bx, by]) => ax - bx || ay - by);
}

/** Column and row of a zone such as `d4.ne`. */
export function zonePlace(name: string): { x: number; y: number } {
  const cell = cellPlace(name);
  return { x: 2 * cell.column + (name[4] === "e" ? 1 : 0), y: 2 * cell.row + (name[3] === "s" ? 1 : 0) };
}

/** The `x,y` of a zone such as `d4.ne`. */
export function zoneKey(name: string): string {
  const { x, y } = zonePlace(name);
  return at(x, y);
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

/** The ground of a single card whose north-west zone is at a place, without zones that are not known (`?`). */
export function cardLand(face: readonly string[], x = 0, y = 0): Land {
  const zones = face.map((written, i) => ground(x + (i % 2), y + (i >> 1), written));
  return new Map(zones.filter((_, i) => face[i] !== "?").map((zone) => [at(zone.x, zone.y), zone]));
}

/** The places north, east, south and west. */
export function neighbors(x: number, y: number): [number, number][] {
  return [
    [x, y - 1],
    [x + 1, y],
    [x, y + 1],
    [x - 1, y],
  ];
}

/** The zones that belong together, of a loose card or of a display that the server has not seen. */
export function territories(land: Land): Ground[][] {
  const left = new Map(land);
  const found: Ground[][] = [];
  for (const [key, first] of land) {
    if (!left.delete(key)) continue;
    const piece = [first];
    for (const { x, y, landscape } of piece) {
      if (landscape === "R") continue;
      for (const [nx, ny] of neighbors(x, y)) {
        const next = left.get(at(nx, ny));
        if (next?.landscape === landscape && left.delete(at(nx, ny))) piece.push(next);
      }
    }
    found.push(piece);
  }
  return found;
}
