/** Zones by name, such as `d4.ne`, and by position: x and y from 0 to 13, two zones per cell in each direction, y downwards. */
import type { LimesDisplay } from "../types";

export const QUARTERS = ["nw", "ne", "sw", "se"] as const;

export type Landscape = "F" | "W" | "T" | "R";

/** The ground of one zone. */
export interface Ground {
  x: number;
  y: number;
  landscape: Landscape;
  hut: boolean;
}

/** The ground of several zones by their position keys. */
export type GroundMap = ReadonlyMap<string, Ground>;

/** Return the key of a position, for maps and sets. */
export function positionKey(x: number, y: number): string {
  return `${x},${y}`;
}

/** Return the positions of the keys, ordered by x, then by y. */
export function positions(keys: Iterable<string>): [number, number][] {
  return [...keys].map((key) => key.split(",").map(Number) as [number, number]).sort(([ax, ay], [bx, by]) => ax - bx || ay - by);
}

/** Return the position of a zone such as `d4.ne`. */
export function zonePosition(name: string): { x: number; y: number } {
  const cell = cellPosition(name);
  return { x: 2 * cell.column + (name[4] === "e" ? 1 : 0), y: 2 * cell.row + (name[3] === "s" ? 1 : 0) };
}

/** Return the position key of a zone such as `d4.ne`. */
export function zoneKey(name: string): string {
  const { x, y } = zonePosition(name);
  return positionKey(x, y);
}

export function cellPosition(name: string): { column: number; row: number } {
  return { column: name.charCodeAt(0) - 97, row: Number(name[1]) - 1 };
}

export function cellName(column: number, row: number): string {
  return String.fromCharCode(97 + column) + String(row + 1);
}

/** Return the name of the zone at a position. */
export function zoneName({ x, y }: Pick<Ground, "x" | "y">): string {
  return `${cellName(x >> 1, y >> 1)}.${QUARTERS[(x & 1) + 2 * (y & 1)]}`;
}

function parseGround(x: number, y: number, text: string): Ground {
  return { x, y, landscape: text[0] as Landscape, hut: text.endsWith("*") };
}

/** Return the ground of a display. */
export function displayGroundMap(zones: LimesDisplay["zones"]): GroundMap {
  const ground = new Map<string, Ground>();
  for (const [name, text] of Object.entries(zones)) {
    const { x, y } = zonePosition(name);
    ground.set(positionKey(x, y), parseGround(x, y, text));
  }
  return ground;
}

/** Return the ground of a card whose north-west zone is at the position, without unknown zones (`?`). */
export function cardGroundMap(face: readonly string[], x = 0, y = 0): GroundMap {
  const zones = face.map((text, i) => parseGround(x + (i % 2), y + (i >> 1), text));
  return new Map(zones.filter((_, i) => face[i] !== "?").map((zone) => [positionKey(zone.x, zone.y), zone]));
}

/** Return the positions north, east, south and west of a position. */
export function neighbors(x: number, y: number): [number, number][] {
  return [
    [x, y - 1],
    [x + 1, y],
    [x, y + 1],
    [x - 1, y],
  ];
}

/** Return the territories of a card, or of a display before the server has sent them. */
export function territories(ground: GroundMap): Ground[][] {
  const remaining = new Map(ground);
  const result: Ground[][] = [];
  for (const [key, first] of ground) {
    if (!remaining.delete(key)) continue;
    const territory = [first];
    for (const { x, y, landscape } of territory) {
      if (landscape === "R") continue;
      for (const [nx, ny] of neighbors(x, y)) {
        const next = remaining.get(positionKey(nx, ny));
        if (next?.landscape === landscape && remaining.delete(positionKey(nx, ny))) territory.push(next);
      }
    }
    result.push(territory);
  }
  return result;
}
