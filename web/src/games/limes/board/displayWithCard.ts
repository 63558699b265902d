/** A display with one more card, as far as the page can draw it without the server. */
import { displayGroundMap, QUARTERS, territories, zoneName } from "../draw/zones";
import type { LimesDisplay } from "../types";

/**
 * Return the display with the card on a cell. Workers keep their old points, and the worker that the action places or
 * moves is missing: only the server knows the new points.
 */
export function displayWithCard(
  display: LimesDisplay,
  face: readonly string[],
  cell: string,
  action: string | null,
): LimesDisplay {
  const zones = { ...display.zones, ...Object.fromEntries(QUARTERS.map((quarter, i) => [`${cell}.${quarter}`, face[i]!])) };
  const source = action?.includes(">") ? action.split(">")[0]! : null;
  const movedIndex = display.workers.findIndex(({ zone }) => zone === source);
  return {
    ...display,
    cards: display.cards + 1,
    zones,
    territories: territories(displayGroundMap(zones)).map((territory) => territory.map(zoneName)),
    workers: display.workers.filter((_, i) => i !== movedIndex),
  };
}
