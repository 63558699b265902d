/** The ground of a display or a card: what lies flat, territory by territory, and what stands upright, row by row. */
import type { LimesDisplay } from "../types";
import { shapes, uprights, type Upright } from "./landscape";
import { ART, CARD, drawLayers, tag, type Shapes } from "./layers";
import { handDrawn, outline, type Bend } from "./outline";
import { at, cardLand, landOf, places, territories, zoneKey, type Land } from "./zones";

export interface DrawnGround {
  land: Land;
  /** Everything that lies flat, in pieces that stay the same as long as what they show does. */
  flat: Flat;
}

/** Markup piece by piece; `@@` stands for the page's own name of the drawing. */
export interface Flat {
  soil: string;
  covers: string[];
  edges: string;
  inked: string;
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
    const groups = territories.map((names) => new Set(names.map(zoneKey)));
    const land = landOf(zones);
    return { land, flat: drawGround(land, groups) };
  });
}

/** The ground of a loose card; the place gives it its own furrows and trees. */
export function cardGround(face: readonly string[], x = 0, y = 0): DrawnGround {
  return once(`${face.join()} ${x} ${y}`, () => {
    const land = cardLand(face, x, y);
    const groups = territories(land).map((zones) => new Set(zones.map((zone) => at(zone.x, zone.y))));
    return { land, flat: drawGround(land, groups) };
  });
}

/** The soil, which shows between territories' rounded corners, and the cards' edges. */
export function baseShapes(land: Land): Shapes {
  return { ground: outline(new Set(land.keys()), undefined, ART.ground.radius), edges: cardEdges(land) };
}

/** The hairlines where two cards meet. */
function cardEdges(land: Land): string {
  let written = "";
  for (const [x, y] of places(land.keys())) {
    if (x % 2 || y % 2) continue;
    if (land.has(at(x + 2, y))) written += `M${((x + 2) / 2) * CARD} ${(y / 2) * CARD}v${CARD}`;
    if (land.has(at(x, y + 2))) written += `M${(x / 2) * CARD} ${((y + 2) / 2) * CARD}h${CARD}`;
  }
  return written;
}

/** A territory's outline and what is drawn on its ground. */
export function territoryShapes(zones: ReadonlySet<string>, land: Land, bend: Bend): Shapes {
  const [first] = zones;
  return { outline: outline(zones, bend), ...shapes(land.get(first!)!.landscape, zones) };
}

function drawGround(land: Land, groups: ReadonlySet<string>[]): Flat {
  const bend = handDrawn(land);
  const lying = baseShapes(land);
  const found: Flat = {
    soil: drawLayers(ART.ground.layers, lying),
    covers: [],
    edges: lying.edges ? drawLayers(ART.ground.edges, lying) : "",
    inked: "",
  };
  for (const zones of groups) {
    const here = territoryShapes(zones, land, bend);
    found.covers.push(drawTerritory(zones, land, here));
    found.inked += `<path d="${here.outline}"/>`;
  }
  return { ...found, inked: tag("g", ART.ground.ink, found.inked) };
}

function drawTerritory(zones: ReadonlySet<string>, land: Land, here: Shapes): string {
  const [first] = zones;
  const id = `@@${first!.replace(",", "-")}`;
  const covered = drawLayers(ART.covers[land.get(first!)!.landscape], here);
  return `<clipPath id="${id}"><path d="${here.outline}" clip-rule="evenodd"/></clipPath><g clip-path="url(#${id})">${covered}</g>`;
}

/** What stands upright in each row of zones, from back to front. */
export function uprightRows(land: Land, occupied: ReadonlySet<string>): Map<number, Upright[]> {
  const standing = new Map<number, Upright[]>();
  for (const zone of [...land.values()].sort((a, b) => a.y - b.y || a.x - b.x)) {
    const row = standing.get(zone.y) ?? [];
    row.push(...uprights(zone, land, occupied.has(at(zone.x, zone.y))));
    standing.set(zone.y, row);
  }
  for (const row of standing.values()) row.sort((a, b) => a.depth - b.depth || a.x - b.x);
  return standing;
}

/** The markup of a thing that stands upright. */
export function drawUpright({ symbol, x, y, scale }: Upright): string {
  const place = scale === "1" ? `x="${x}" y="${y}"` : `transform="translate(${x} ${y})scale(${scale})"`;
  return `<use href="#limes-${symbol}" ${place}/>`;
}
