/** Scales, ticks and paths of graphs. */

/** The margins of a graph, for its labels. */
export interface Margins {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Patterns by player, so that lines can be distinguished without their colors. */
const DASHES = ["", "9 4", "2 4", "12 3 2 3", "5 3", "1 3", "14 5", "7 2 1 2"];

export function dashPattern(player: number): string {
  return DASHES[player % DASHES.length]!;
}

/** Return the linear function that maps `from` to `start` and `to` to `end`. */
export function linearScale(from: number, to: number, start: number, end: number): (value: number) => number {
  return (value) => start + ((value - from) / (to - from)) * (end - start);
}

/** Return round values from `low` to `high`, at most `maxIntervals` + 1. */
export function axisTicks(low: number, high: number, maxIntervals: number): number[] {
  const step = [1, 2, 5, 10, 20, 50, 100].find((size) => (high - low) / size <= maxIntervals) ?? 200;
  const first = Math.ceil(low / step) * step;
  return Array.from({ length: Math.floor((high - first) / step) + 1 }, (_, index) => first + index * step);
}

/** Return the SVG path of a line through points. */
export function linePath(points: readonly (readonly [number, number])[]): string {
  return points.map(([x, y], index) => `${index ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
}
