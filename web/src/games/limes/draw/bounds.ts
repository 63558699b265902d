/** Which cells a picture of a display holds. */
import { cellPlace } from "./zones";

export interface Bounds {
  column: number;
  row: number;
  columns: number;
  rows: number;
}

/** The smallest picture with these cells, but not smaller than so many cells each way. */
export function boundsOf(cells: Iterable<string>, least = 1, square = false): Bounds {
  const places = [...cells].map(cellPlace);
  if (!places.length) places.push({ column: 3, row: 3 });
  const [columns, rows] = [places.map((place) => place.column), places.map((place) => place.row)];
  const side = (values: number[]) => Math.max(...values) - Math.min(...values) + 1;
  const most = square ? Math.max(side(columns), side(rows), least) : least;
  const span = (values: number[]): [number, number] => {
    const wide = Math.max(side(values), most);
    return [Math.min(...values) - (wide - side(values)) / 2, wide];
  };
  const [column, wide] = span(columns);
  const [row, high] = span(rows);
  return { column, row, columns: wide, rows: high };
}

/** The cells where cards lie. */
export function cellsOf(zones: Record<string, string>): Set<string> {
  return new Set(Object.keys(zones).map((zone) => zone.slice(0, 2)));
}
