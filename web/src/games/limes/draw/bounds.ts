/** The cells that a picture of a display shows. */
import { cellPosition } from "./zones";

/** A rectangle in cells. `column` and `row` may be fractions, so that the cards stay in the middle. */
export interface Bounds {
  column: number;
  row: number;
  columns: number;
  rows: number;
}

/** Return the smallest bounds around the cells, with at least `minSize` cells in each direction. */
export function boundsOf(cells: Iterable<string>, minSize = 1, square = false): Bounds {
  const positions = [...cells].map(cellPosition);
  if (!positions.length) positions.push({ column: 3, row: 3 });
  const [columns, rows] = [positions.map(({ column }) => column), positions.map(({ row }) => row)];
  const length = (values: number[]) => Math.max(...values) - Math.min(...values) + 1;
  const minLength = square ? Math.max(length(columns), length(rows), minSize) : minSize;
  const span = (values: number[]): [number, number] => {
    const size = Math.max(length(values), minLength);
    return [Math.min(...values) - (size - length(values)) / 2, size];
  };
  const [column, width] = span(columns);
  const [row, height] = span(rows);
  return { column, row, columns: width, rows: height };
}

/** Return the cells of the zones. */
export function cellsOf(zones: Record<string, string>): Set<string> {
  return new Set(Object.keys(zones).map((zone) => zone.slice(0, 2)));
}
