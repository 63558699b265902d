/** The arithmetic of graphs. */

/** The room around what is drawn, where values and signs stand. */
export interface Margins {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** One pattern for each player, so that lines are told apart without their colors. */
const DASHES = ["", "9 4", "2 4", "12 3 2 3", "5 3", "1 3", "14 5", "7 2 1 2"];

export function dashPattern(player: number): string {
  return DASHES[player % DASHES.length]!;
}

/** The straight line that takes `from` to `start` and `to` to `end`. */
export function linearScale(from: number, to: number, start: number, end: number): (value: number) => number {
  return (value) => start + ((value - from) / (to - from)) * (end - start);
}

/** Round values from low to high, not more than so many and one. */
export function axisTicks(low: number, high: number, most: number): number[] {
  const step = [1, 2, 5, 10, 20, 50, 100].find((size) => (high - low) / size <= most) ?? 200;
  const first = Math.ceil(low / step) * step;
  return Array.from({ length: Math.floor((high - first) / step) + 1 }, (_, index) => first + index * step);
}

/** A line through points. */
export function linePath(points: readonly (readonly [number, number])[]): string {
  return points.map(([x, y], index) => `${index ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
}
