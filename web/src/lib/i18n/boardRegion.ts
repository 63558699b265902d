/** Which part of a board is meant, as one says it looking at it. */
import { t } from "./messages.svelte";

/** `in the south-east`, for a place seen from the middle: from -1 to 1 to the east and to the south. */
export function boardRegionText(x: number, y: number): string {
  const side = (value: number, low: string, high: string) => (value < -1 / 3 ? low : value > 1 / 3 ? high : "");
  const region = (side(y, "n", "s") + side(x, "w", "e") || "middle") as "n" | "middle";
  return t(`region.${region}`);
}
