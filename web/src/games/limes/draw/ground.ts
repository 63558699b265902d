/** The whole ground of a display or a card, ready to be put into a page, drawn once for each different one. */
import type { LimesDisplay } from "$lib/api";
import { cover, standing } from "./landscape";
import { handDrawn, outline, type Bend } from "./outline";
import { at, CARD, cardLand, landOf, neighbours, pieces, SIDE, zonePlace, type Ground, type Land } from "./zones";

export interface DrawnGround {
  land: Land;
  bend: Bend;
  /** Everything that lies flat, in pieces that stay the same as long as what they show does. */
  flat: Flat;
}

/** Markup piece by piece; `@@` stands for the page's own name of the drawing. */
export interface Flat {
  soil: string[];
  covers: string[];
  edges: string[];
  inked: string[];
}

const MOST = 200;
const drawn = new Map<string, DrawnGround>();

function once(key: string, draw: () => DrawnGround): DrawnGround {
  const found = drawn.get(key) ?? draw();
  // The latest used last, so that the oldest goes first.
  drawn.delete(key);
  drawn.set(key, found);
  if (drawn.size > MOST) drawn.delete(drawn.keys().next().value!);
  return found;
}

/** The ground of a display. */
export function displayGround({ zones, territories }: Pick<LimesDisplay, "zones" | "territories">): DrawnGround {
  return once(JSON.stringify(zones), () => {
    const land = landOf(zones);
    const groups = territories.map((names) =>
      names.map((name) => {
        const { x, y } = zonePlace(name);
        return land.get(at(x, y))!;
      }),
    );
    return draw(land, groups);
  });
}

/** The ground of a loose card; the place gives it its own furrows and trees. */
export function cardGround(face: readonly string[], x = 0, y = 0): DrawnGround {
  return once(`${face.join()} ${x} ${y}`, () => {
    const land = cardLand(face, x, y);
    return draw(land, pieces(land));
  });
}

function draw(land: Land, groups: Ground[][]): DrawnGround {
  const bend = handDrawn(land);
  const flat: Flat = { soil: [...land.values()].map((zone) => soil(zone, land)), covers: [], edges: cardEdges(land), inked: [] };
  for (const zones of groups) {
    const line = outline(new Set(zones.map(({ x, y }) => at(x, y))), { bend });
    flat.covers.push(cover(`@@${zones[0]!.x}-${zones[0]!.y}`, line, zones));
    flat.inked.push(`<path d="${line}"/>`);
  }
  return { land, bend, flat };
}

/** What shows between the rounded corners of territories; rounded itself where the display ends. */
function soil({ x, y }: Ground, land: Land): string {
  const radius = 14;
  const [north, east, south, west] = neighbours(x, y).map(([nx, ny]) => land.has(at(nx, ny)));
  // A little under the neighbours, so that no light falls through the seam.
  const [left, right] = [x * SIDE - (west ? 1 : 0), (x + 1) * SIDE + (east ? 1 : 0)];
  const [top, bottom] = [y * SIDE - (north ? 1 : 0), (y + 1) * SIDE + (south ? 1 : 0)];
  const corner = (sharp: boolean | undefined) => (sharp ? 0 : radius);
  const [nw, ne, se, sw] = [corner(north || west), corner(north || east), corner(south || east), corner(south || west)];
  return (
    `<path d="M${left + nw} ${top}H${right - ne}q${ne} 0 ${ne} ${ne}V${bottom - se}q0 ${se} ${-se} ${se}` +
    `H${left + sw}q${-sw} 0 ${-sw} ${-sw}V${top + nw}q0 ${-nw} ${nw} ${-nw}"/>`
  );
}

/** A hairline where two cards meet. */
function cardEdges(land: Land): string[] {
  const lines: string[] = [];
  for (const { x, y } of land.values()) {
    if (x % 2 || y % 2) continue;
    if (land.has(at(x + 2, y))) lines.push(`<path d="M${(x + 2) * SIDE} ${y * SIDE}v${CARD}"/>`);
    if (land.has(at(x, y + 2))) lines.push(`<path d="M${x * SIDE} ${(y + 2) * SIDE}h${CARD}"/>`);
  }
  return lines;
}

/** What stands upright in each row of zones, thing by thing, from back to front. */
export function rows(land: Land, occupied: ReadonlySet<string>): Map<number, string[]> {
  const things = new Map<number, [number, string][]>();
  for (const zone of land.values()) {
    const row = things.get(zone.y) ?? [];
    row.push(...standing(zone, land, occupied.has(at(zone.x, zone.y))));
    things.set(zone.y, row);
  }
  const sorted = [...things].sort(([a], [b]) => a - b);
  return new Map(sorted.map(([y, row]) => [y, row.sort(([a], [b]) => a - b).map(([, markup]) => markup)]));
}
