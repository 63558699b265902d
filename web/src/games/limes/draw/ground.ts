/** The whole ground of a display or a card, ready to be put into a page, drawn once for each different one. */
import type { LimesDisplay } from "$lib/api";
import { cover, standing } from "./landscape";
import { handDrawn, outline, type Bend } from "./outline";
import { at, CARD, cardLand, landOf, pieces, SIDE, zonePlace, type Ground, type Land } from "./zones";

export interface DrawnGround {
  land: Land;
  bend: Bend;
  /** Everything that lies flat; `@@` stands for the page's own name of the drawing. */
  flat: string;
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
  if (!land.size) return { land, bend, flat: "" };
  const whole = outline(new Set(land.keys()), { radius: 14 });
  let flat =
    `<path d="${whole}" fill="var(--shade)" opacity=".25" transform="translate(4 6)"/>` +
    `<path d="${whole}" fill="var(--soil)"/>`;
  let inked = "";
  groups.forEach((zones, i) => {
    const line = outline(new Set(zones.map(({ x, y }) => at(x, y))), { bend });
    flat += cover(`@@t${i}`, line, zones);
    inked += `<path d="${line}"/>`;
  });
  flat += `<path d="${cardEdges(land)}" stroke="var(--ink)" stroke-width="1.2" stroke-opacity=".4"/>`;
  flat += `<g fill="none" stroke="var(--ink)" stroke-width="3.2" stroke-linejoin="round">${inked}</g>`;
  return { land, bend, flat };
}

/** A hairline where two cards meet. */
function cardEdges(land: Land): string {
  let lines = "";
  for (const { x, y } of land.values()) {
    if (x % 2 || y % 2) continue;
    if (land.has(at(x + 2, y))) lines += `M${(x + 2) * SIDE} ${y * SIDE}v${CARD}`;
    if (land.has(at(x, y + 2))) lines += `M${x * SIDE} ${(y + 2) * SIDE}h${CARD}`;
  }
  return lines;
}

/** What stands upright in a row of zones, from back to front. */
export function rows(land: Land, occupied: ReadonlySet<string>): Map<number, string> {
  const things = new Map<number, [number, string][]>();
  for (const zone of land.values()) {
    const row = things.get(zone.y) ?? [];
    row.push(...standing(zone, land, occupied.has(at(zone.x, zone.y))));
    things.set(zone.y, row);
  }
  const sorted = [...things].sort(([a], [b]) => a - b);
  return new Map(
    sorted.map(([y, row]) => [y, row.sort(([a], [b]) => a - b).map(([, markup]) => markup).join("")]),
  );
}
