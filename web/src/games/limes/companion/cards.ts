/** Cards on a real table, as they were entered: where they lie, where the next one may lie, and what they show. */
import { cellName, cellPosition, landOf, QUARTERS, territories } from "../draw/zones";
import type { LimesDisplay } from "../types";
import { professionOf } from "../text";

/** By its cell, each card's number and how often it is turned to the right. */
export type Cards = Readonly<Record<string, readonly [number: number, turning: number]>>;

export const ROUNDS = 16;
export const DECK = 24;
export const WORKERS = 7;
const MIDDLE = "d4";
const MOST = 4;
const SIDES = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
] as const;
const CORNERS = [
  [1, 1],
  [1, -1],
  [-1, 1],
  [-1, -1],
] as const;

function beside(cell: string, diagonal: boolean): string[] {
  const { column, row } = cellPosition(cell);
  return [...SIDES, ...(diagonal ? CORNERS : [])]
    .map(([right, down]) => ({ column: column + right, row: row + down }))
    .filter((place) => place.column >= 0 && place.column < 7 && place.row >= 0 && place.row < 7)
    .map((place) => cellName(place.column, place.row));
}

/** From left to right, row by row. */
export function reading(a: string, b: string): number {
  return a[1]! + a[0]! < b[1]! + b[0]! ? -1 : 1;
}

/** Whether the cells fit into a square of four. */
function fits(cells: readonly string[]): boolean {
  const places = cells.map(cellPosition);
  const side = (values: number[]) => Math.max(...values) - Math.min(...values) < MOST;
  return side(places.map(({ column }) => column)) && side(places.map(({ row }) => row));
}

/** The cells where one more card may lie. */
export function openCells(cards: Cards, diagonal: boolean): string[] {
  const laid = Object.keys(cards);
  if (!laid.length) return [MIDDLE];
  if (laid.length >= ROUNDS) return [];
  const near = new Set(laid.flatMap((cell) => beside(cell, diagonal)).filter((cell) => !(cell in cards)));
  return [...near].filter((cell) => fits([...laid, cell])).sort(reading);
}

/** The cell that most people enter after one: to the right of it, else at the beginning of the next row. */
export function nextCell(cards: Cards, after: string, diagonal: boolean): string | null {
  const open = openCells(cards, diagonal);
  return (
    open.find((cell) => cell[1] === after[1] && cell > after) ?? open.find((cell) => cell[1]! > after[1]!) ?? open[0] ?? null
  );
}

/** Whether every card hangs together with the others. */
export function holds(cards: Cards, diagonal: boolean): boolean {
  const laid = Object.keys(cards);
  const reached = new Set(laid.slice(0, 1));
  for (const cell of reached) for (const next of beside(cell, diagonal)) if (next in cards) reached.add(next);
  return reached.size === laid.length;
}

/** How far everything has to be shifted for a card to lie on the middle cell, as the notation wants it. */
export function shift(cards: Cards): (cell: string) => string {
  const [first] = Object.keys(cards).sort(reading);
  if (!first || MIDDLE in cards) return (cell) => cell;
  const [from, to] = [cellPosition(first), cellPosition(MIDDLE)];
  return (cell) => {
    const { column, row } = cellPosition(cell);
    return cellName(column + to.column - from.column, row + to.row - from.row);
  };
}

/** A face, nw ne sw se, turned to the right so often. */
export function turnedFace(face: readonly string[], turning: number): string[] {
  let [nw = "F", ne = "F", sw = "F", se = "F"] = face;
  for (let i = 0; i < turning; i++) [nw, ne, sw, se] = [sw, nw, se, ne];
  return [nw, ne, sw, se];
}

/** A display as far as the page knows it by itself: what it is worth, only the server says. */
export function plainDisplay(cards: Cards, workers: readonly string[], deck: readonly string[], total: number): LimesDisplay {
  const zones: Record<string, string> = {};
  for (const [cell, [number, turning]] of Object.entries(cards)) {
    const face = turnedFace((deck[number - 1] ?? "").split(" "), turning);
    QUARTERS.forEach((quarter, i) => (zones[`${cell}.${quarter}`] = face[i]!));
  }
  const land = landOf(zones);
  return {
    cards: Object.keys(cards).length,
    zones,
    territories: territories(land).map((piece) =>
      piece.map(({ x, y }) => `${cellName(x >> 1, y >> 1)}.${QUARTERS[(x & 1) + 2 * (y & 1)]}`),
    ),
    workers: workers.map((zone) => ({
      zone,
      profession: professionOf(zones[zone] ?? "F"),
      points: null as unknown as number, // not known yet: nothing is written on him
      scored: true,
      territory: [],
      counted: [],
    })),
    supply: WORKERS - workers.length,
    total,
  };
}

/** Cards in an order that nobody knows. */
export function shuffled(cards: readonly number[]): number[] {
  const left = [...cards];
  for (let i = left.length - 1; i > 0; i--) {
    const j = Math.floor((crypto.getRandomValues(new Uint32Array(1))[0]! / 2 ** 32) * (i + 1));
    [left[i], left[j]] = [left[j]!, left[i]!];
  }
  return left;
}
