/** Names of the regions of a board, by compass direction. */
import { t } from "./messages.svelte";

/** Return the name of a location's region, as `in the southeast`. `x` grows to the east and `y` to the south, from -1 to 1. */
export function boardRegionText(x: number, y: number): string {
  const side = (value: number, low: string, high: string) => (value < -1 / 3 ? low : value > 1 / 3 ? high : "");
  const region = (side(y, "n", "s") + side(x, "w", "e") || "middle") as "n" | "middle";
  return t(`region.${region}`);
}
