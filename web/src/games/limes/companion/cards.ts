/** Geometry of the entered cards of a physical game: legal cells, connectivity, and the display they form. */
import { cellName, cellPosition, displayGroundMap, QUARTERS, territories, zoneName } from "../draw/zones";
import type { LimesDisplay } from "../types";
import { professionOf } from "../text";

/** Number and rotation (in quarter turns clockwise) of the card on each cell. */
export type PlacedCards = Readonly<Record<string, readonly [cardNumber: number, turning: number]>>;

export const ROUNDS = 16;
export const DECK_SIZE = 24;
export const WORKERS_PER_PLAYER = 7;
/** The cell of the first card in the notation. */
const START_CELL = "d4";
/** Rows and columns of cells in the notation. */
const GRID_SIZE = 7;
/** A display fits into a square of this many rows and columns. */
const DISPLAY_SIZE = 4;
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

function adjacentCells(cell: string, diagonal: boolean): string[] {
  const { column, row } = cellPosition(cell);
  const isOnGrid = (index: number) => index >= 0 && index < GRID_SIZE;
  return [...SIDES, ...(diagonal ? CORNERS : [])]
    .map(([right, down]) => [column + right, row + down] as const)
    .filter(([column, row]) => isOnGrid(column) && isOnGrid(row))
    .map(([column, row]) => cellName(column, row));
}

/** Compare cells for sorting: row by row, from left to right. */
export function byReadingOrder(a: string, b: string): number {
  return a[1]! + a[0]! < b[1]! + b[0]! ? -1 : 1;
}

function fitsIntoSquare(cells: readonly string[]): boolean {
  const positions = cells.map(cellPosition);
  const fits = (indices: number[]) => Math.max(...indices) - Math.min(...indices) < DISPLAY_SIZE;
  return fits(positions.map(({ column }) => column)) && fits(positions.map(({ row }) => row));
}

/** Return the cells where one more card may be placed. */
export function openCells(cards: PlacedCards, diagonal: boolean): string[] {
  const occupied = Object.keys(cards);
  if (!occupied.length) return [START_CELL];
  if (occupied.length >= ROUNDS) return [];
  const adjacent = new Set(occupied.flatMap((cell) => adjacentCells(cell, diagonal)).filter((cell) => !(cell in cards)));
  return [...adjacent].filter((cell) => fitsIntoSquare([...occupied, cell])).sort(byReadingOrder);
}

/** Guess the cell that is entered after a cell: the next open one in its row, else in a lower row, else any open cell. */
export function nextCell(cards: PlacedCards, after: string, diagonal: boolean): string | null {
  const open = openCells(cards, diagonal);
  return (
    open.find((cell) => cell[1] === after[1] && cell > after) ?? open.find((cell) => cell[1]! > after[1]!) ?? open[0] ?? null
  );
}

/** Return true if all cards are connected. */
export function isConnected(cards: PlacedCards, diagonal: boolean): boolean {
  const cells = Object.keys(cards);
  const reached = new Set(cells.slice(0, 1));
  for (const cell of reached) for (const next of adjacentCells(cell, diagonal)) if (next in cards) reached.add(next);
  return reached.size === cells.length;
}

/** Return a function that shifts cells so that a card lies on the start cell, as the notation requires. */
export function shiftToStartCell(cards: PlacedCards): (cell: string) => string {
  const [first] = Object.keys(cards).sort(byReadingOrder);
  if (!first || START_CELL in cards) return (cell) => cell;
  const [from, to] = [cellPosition(first), cellPosition(START_CELL)];
  return (cell) => {
    const { column, row } = cellPosition(cell);
    return cellName(column + to.column - from.column, row + to.row - from.row);
  };
}

/** Return the zones nw ne sw se of a face after so many quarter turns clockwise. */
export function rotatedFace(face: readonly string[], turning: number): string[] {
  let [nw = "F", ne = "F", sw = "F", se = "F"] = face;
  for (let i = 0; i < turning; i++) [nw, ne, sw, se] = [sw, nw, se, ne];
  return [nw, ne, sw, se];
}

/** Return the display before the server has scored it. */
export function unscoredDisplay(
  cards: PlacedCards,
  workers: readonly string[],
  deck: readonly string[],
  total: number,
): LimesDisplay {
  const zones: Record<string, string> = {};
  for (const [cell, [cardNumber, turning]] of Object.entries(cards)) {
    const face = rotatedFace((deck[cardNumber - 1] ?? "").split(" "), turning);
    QUARTERS.forEach((quarter, i) => (zones[`${cell}.${quarter}`] = face[i]!));
  }
  return {
    cards: Object.keys(cards).length,
    zones,
    territories: territories(displayGroundMap(zones)).map((territory) => territory.map(zoneName)),
    workers: workers.map((zone) => ({
      zone,
      profession: professionOf(zones[zone] ?? "F"),
      points: null as unknown as number, // not known yet, so the figure shows no points
      scored: true,
      territory: [],
      counted: [],
    })),
    supply: WORKERS_PER_PLAYER - workers.length,
    total,
  };
}

/** Return the cards in a random order. */
export function shuffled(cards: readonly number[]): number[] {
  const order = [...cards];
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor((crypto.getRandomValues(new Uint32Array(1))[0]! / 2 ** 32) * (i + 1));
    [order[i], order[j]] = [order[j]!, order[i]!];
  }
  return order;
}
