/** What a display looks like with a card that was just laid, as far as the page knows it by itself. */
import { cellName, landOf, QUARTERS, territories, type Ground } from "../draw/zones";
import type { LimesDisplay } from "../types";

const nameOf = ({ x, y }: Ground) => `${cellName(x >> 1, y >> 1)}.${QUARTERS[(x & 1) + 2 * (y & 1)]}`;

/**
 * The display with the card on a cell. The workers who stand keep the points they had: what these become, and those of a worker who has
 * just come, only the server says.
 */
export function laidDisplay(own: LimesDisplay, face: readonly string[], cell: string, action: string | null): LimesDisplay {
  const zones = { ...own.zones, ...Object.fromEntries(QUARTERS.map((quarter, i) => [`${cell}.${quarter}`, face[i]!])) };
  const gone = action?.includes(">") ? action.split(">")[0]! : null;
  const leaver = own.workers.findIndex(({ zone }) => zone === gone);
  return {
    ...own,
    cards: own.cards + 1,
    zones,
    territories: territories(landOf(zones)).map((piece) => piece.map(nameOf)),
    workers: own.workers.filter((_, i) => i !== leaver),
  };
}
