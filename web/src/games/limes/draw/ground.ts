/** The ground of a display or a card: flat layers for each territory, and upright objects (trees, huts, towers) for each row. */
import type { LimesDisplay } from "../types";
import { shapes, uprights, type Upright } from "./landscape";
import { ART, CARD, drawLayers, tag, type Shapes } from "./layers";
import { handDrawn, outline, type Bend } from "./outline";
import { positionKey, cardGroundMap, displayGroundMap, positions, territories, zoneKey, type GroundMap } from "./zones";

export interface DrawnGround {
  zones: GroundMap;
  flat: Flat;
}

/** The flat layers as markup. `@@` is a placeholder for the id of the drawing in the page. */
export interface Flat {
  soil: string;
  /** One piece for each territory. A piece is the same string until its territory changes. */
  covers: string[];
  edges: string;
  inked: string;
}

const MAX_CACHED_GROUNDS = 200;
/** Drawn grounds, least recently used first. */
const cache = new Map<string, DrawnGround>();

function cached(key: string, draw: () => DrawnGround): DrawnGround {
  const ground = cache.get(key) ?? draw();
  cache.delete(key);
  cache.set(key, ground);
  if (cache.size > MAX_CACHED_GROUNDS) cache.delete(cache.keys().next().value!);
  return ground;
}

/** Return the ground of a display. */
export function displayGround({ zones, territories }: Pick<LimesDisplay, "zones" | "territories">): DrawnGround {
  return cached(JSON.stringify(zones), () => {
    const groups = territories.map((names) => new Set(names.map(zoneKey)));
    const ground = displayGroundMap(zones);
    return { zones: ground, flat: drawGround(ground, groups) };
  });
}

/** Return the ground of a single card. The position seeds its furrows and trees. */
export function cardGround(face: readonly string[], x = 0, y = 0): DrawnGround {
  return cached(`${face.join()} ${x} ${y}`, () => {
    const ground = cardGroundMap(face, x, y);
    const groups = territories(ground).map((zones) => new Set(zones.map((zone) => positionKey(zone.x, zone.y))));
    return { zones: ground, flat: drawGround(ground, groups) };
  });
}

/** Return the soil, which is visible between the rounded corners of territories, and the edges of the cards. */
export function baseShapes(ground: GroundMap): Shapes {
  return { ground: outline(new Set(ground.keys()), undefined, ART.ground.radius), edges: cardEdges(ground) };
}

/** Return hairlines between adjacent cards. */
function cardEdges(ground: GroundMap): string {
  let path = "";
  for (const [x, y] of positions(ground.keys())) {
    if (x % 2 || y % 2) continue;
    if (ground.has(positionKey(x + 2, y))) path += `M${((x + 2) / 2) * CARD} ${(y / 2) * CARD}v${CARD}`;
    if (ground.has(positionKey(x, y + 2))) path += `M${(x / 2) * CARD} ${((y + 2) / 2) * CARD}h${CARD}`;
  }
  return path;
}

/** Return the outline of a territory and the shapes on its ground. */
export function territoryShapes(zones: ReadonlySet<string>, ground: GroundMap, bend: Bend): Shapes {
  const [first] = zones;
  return { outline: outline(zones, bend), ...shapes(ground.get(first!)!.landscape, zones) };
}

function drawGround(ground: GroundMap, groups: ReadonlySet<string>[]): Flat {
  const bend = handDrawn(ground);
  const base = baseShapes(ground);
  const flat: Flat = {
    soil: drawLayers(ART.ground.layers, base),
    covers: [],
    edges: base.edges ? drawLayers(ART.ground.edges, base) : "",
    inked: "",
  };
  for (const zones of groups) {
    const territory = territoryShapes(zones, ground, bend);
    flat.covers.push(drawTerritory(zones, ground, territory));
    flat.inked += `<path d="${territory.outline}"/>`;
  }
  return { ...flat, inked: tag("g", ART.ground.ink, flat.inked) };
}

function drawTerritory(zones: ReadonlySet<string>, ground: GroundMap, territory: Shapes): string {
  const [first] = zones;
  const id = `@@${first!.replace(",", "-")}`;
  const cover = drawLayers(ART.covers[ground.get(first!)!.landscape], territory);
  return `<clipPath id="${id}"><path d="${territory.outline}" clip-rule="evenodd"/></clipPath><g clip-path="url(#${id})">${cover}</g>`;
}

/** Return the upright objects in each row of zones, from back to front. */
export function uprightRows(ground: GroundMap, occupied: ReadonlySet<string>): Map<number, Upright[]> {
  const rows = new Map<number, Upright[]>();
  for (const zone of [...ground.values()].sort((a, b) => a.y - b.y || a.x - b.x)) {
    const row = rows.get(zone.y) ?? [];
    row.push(...uprights(zone, ground, occupied.has(positionKey(zone.x, zone.y))));
    rows.set(zone.y, row);
  }
  for (const row of rows.values()) row.sort((a, b) => a.depth - b.depth || a.x - b.x);
  return rows;
}

/** Return the markup of an upright object. */
export function drawUpright({ symbol, x, y, scale }: Upright): string {
  const position = scale === "1" ? `x="${x}" y="${y}"` : `transform="translate(${x} ${y})scale(${scale})"`;
  return `<use href="#limes-${symbol}" ${position}/>`;
}
