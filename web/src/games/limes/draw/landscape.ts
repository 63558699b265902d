/** Fields, water, forest and rock: how the ground of each territory is drawn. */
import { at, chance, neighbours, short, SIDE, type Ground, type Land } from "./zones";

const GAP = 13;
const SLOPE = -0.3;
const WANDER = 34;

/** The ground of one territory with the given outline; `id` names it within the page. */
export function cover(id: string, line: string, zones: readonly Ground[]): string {
  const kind = zones[0]!.landscape;
  const whole = (attributes: string) => `<path d="${line}" ${attributes}/>`;
  const drawn = { F: field, W: water, T: forest, R: rock }[kind](whole, zones);
  return `<clipPath id="${id}"><path d="${line}" clip-rule="evenodd"/></clipPath><g clip-path="url(#${id})">${drawn}</g>`;
}

type Whole = (attributes: string) => string;

function field(whole: Whole, zones: readonly Ground[]): string {
  const d = zones.map(furrows).join("");
  return (
    whole('fill="var(--field)"') +
    '<g fill="none" stroke-linecap="round" stroke-linejoin="round">' +
    `<path d="${d}" stroke="var(--field-light)" stroke-width="3.4"/>` +
    `<path d="${d}" transform="translate(0 -4)" stroke="var(--furrow)" stroke-width="1.8"/></g>` +
    // A darker rim keeps the furrows from running into the border.
    whole('fill="none" stroke="var(--furrow)" stroke-width="9" stroke-opacity=".35"')
  );
}

/** The pieces of the furrows inside a zone; they go on in the next zone as if there were no seam. */
function furrows({ x, y }: Ground): string {
  const step = SIDE / 4;
  const first = Math.floor((y * SIDE - SLOPE * x * SIDE - WANDER / 2) / GAP);
  const last = Math.ceil(((y + 1) * SIDE - SLOPE * (x + 1) * SIDE + WANDER / 2) / GAP);
  let written = "";
  for (let row = first; row <= last; row++) {
    const heights = [0, 1, 2, 3, 4].map((i) => furrowHeight(row, x * SIDE + i * step));
    let penDown = false;
    for (let i = 0; i < 4; i++) {
      const [a, b] = [heights[i]!, heights[i + 1]!];
      const middle = (a + b) / 2;
      if (middle < y * SIDE || middle >= (y + 1) * SIDE) {
        penDown = false;
        continue;
      }
      if (!penDown) written += `M${short(x * SIDE + i * step)} ${Math.round(a)}`;
      written += `l${short(step)} ${Math.round(b) - Math.round(a)}`;
      penDown = true;
    }
  }
  return written;
}

function furrowHeight(row: number, x: number): number {
  const base = row * GAP + SLOPE * x;
  return base + (smooth(x / SIDE, base / SIDE) - 0.5) * WANDER;
}

/** Chance numbers at the corners of the zones, blended softly in between. */
function smooth(x: number, y: number): number {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  const [across, down] = [ease(x - left), ease(y - top)];
  const upper = chance("furrow", left, top) * (1 - across) + chance("furrow", left + 1, top) * across;
  const lower = chance("furrow", left, top + 1) * (1 - across) + chance("furrow", left + 1, top + 1) * across;
  return upper * (1 - down) + lower * down;
}

function ease(share: number): number {
  return share * share * (3 - 2 * share);
}

// Bands as wide as they are long from the border inwards, each hiding the inner half of the one before: the engraver's
// way to draw a shore.
const BANDS: readonly [string, number, number][] = [
  ["wave", 56, 0.35],
  ["water", 53, 1],
  ["wave", 42, 0.5],
  ["shallow", 39, 1],
  ["wave", 28, 0.7],
  ["shallow", 25, 1],
  ["shore", 15, 1],
];

function water(whole: Whole, zones: readonly Ground[]): string {
  const shore = BANDS.map(([colour, width, opacity]) =>
    whole(`stroke="var(--${colour})" stroke-width="${width}" stroke-opacity="${opacity}"`),
  ).join("");
  const here = new Set(zones.map(({ x, y }) => at(x, y)));
  const d = zones.map((zone) => waves(zone, here)).join("");
  return (
    whole('fill="var(--water)"') +
    `<g fill="none" stroke-linejoin="round">${shore}</g>` +
    `<path d="${d}" fill="none" stroke-linecap="round" stroke="var(--wave)" stroke-width="2.6" stroke-opacity=".8"/>`
  );
}

function waves({ x, y }: Ground, zones: ReadonlySet<string>): string {
  let written = "";
  const wave = (wx: number, wy: number) => (written += `M${Math.round(wx)} ${Math.round(wy)}q6-7 12 0t12 0`);
  for (let row = 0; row < 3; row++) {
    for (let column = 0; column < 2; column++) {
      if ((row + column + Math.floor(chance("calm", x, y) * 2)) % 2) continue;
      const cx = x * SIDE + 41 + 20 * column + (chance("wave", x, y, row, column) - 0.5) * 8;
      wave(cx - 12, y * SIDE + 35 + 16 * row + (chance("ebb", x, y, row, column) - 0.5) * 6);
    }
  }
  // Waves across the seam, where the water goes on.
  if (zones.has(at(x + 1, y))) wave(x * SIDE + 88, y * SIDE + 40 + 24 * chance("current", x, y));
  if (zones.has(at(x, y + 1))) wave(x * SIDE + 34 + 16 * chance("tide", x, y), y * SIDE + 102);
  return written;
}

function forest(whole: Whole, zones: readonly Ground[]): string {
  let tufts = "";
  for (const { x, y } of zones) {
    for (let i = 0; i < 7; i++) {
      const [tx, ty] = [(x + chance("tuft", x, y, i)) * SIDE, (y + chance("tuft-row", x, y, i)) * SIDE];
      tufts += `M${Math.round(tx)} ${Math.round(ty)}l3-5l3 5l3-5l3 5`;
    }
  }
  return (
    whole('fill="var(--forest)"') +
    `<path d="${tufts}" fill="none" stroke="var(--forest-deep)" stroke-width="1.8"/>` +
    whole('fill="none" stroke="var(--forest-deep)" stroke-width="14" stroke-opacity=".8"')
  );
}

function rock(whole: Whole, zones: readonly Ground[]): string {
  return whole('fill="var(--rock)"') + zones.map(crag).join("");
}

function crag({ x, y }: Ground): string {
  const [cx, cy] = [x * SIDE + 50, y * SIDE + 50];
  const count = 11;
  const corners = Array.from({ length: count }, (_, i): [number, number] => {
    const angle = ((i + 0.6 * (chance("crag", x, y, i) - 0.5)) * 2 * Math.PI) / count;
    const reach = 30 + 8 * chance("crag-reach", x, y, i);
    return [cx + reach * Math.cos(angle), cy + reach * 0.92 * Math.sin(angle)];
  });
  let hatches = "";
  corners.forEach(([ax, ay], i) => {
    const [bx, by] = corners[(i + 1) % count]!;
    for (let j = 0; j < 3; j++) {
      const [sx, sy] = [ax + ((bx - ax) * j) / 3, ay + ((by - ay) * j) / 3];
      const away = Math.hypot(sx - cx, sy - cy);
      // Longer strokes on the south-east: light comes from the north-west.
      const light = (sx - cx + (sy - cy)) / away;
      const length = 7 + 4 * light + 5 * chance("hachure", x, y, i, j);
      const [ux, uy] = [(sx - cx) / away, (sy - cy) / away];
      hatches += `M${Math.round(sx + ux)} ${Math.round(sy + uy)}l${Math.round(ux * length)} ${Math.round(uy * length)}`;
    }
  });
  const plateau = corners.map(([px, py]) => `${Math.round(px)} ${Math.round(py)}`).join("L");
  return (
    `<path d="${hatches}" stroke="var(--hatch)" stroke-width="2" stroke-linecap="round"/>` +
    `<path d="M${plateau}Z" fill="var(--rock-light)" stroke="var(--hatch)" stroke-width="1.6" stroke-linejoin="round"/>`
  );
}

/** What stands upright on a zone, each thing with the height of its foot, so that nearer ones can stand in front. */
export function standing(zone: Ground, land: Land, occupied: boolean): [foot: number, drawn: string][] {
  const { x, y, landscape, hut } = zone;
  const hutAt = hut ? hutPlace(zone, land) : null;
  const things = growth(zone, land, hutAt);
  if (landscape === "R") {
    // Behind the watchman's shoulder, and behind the hut if there is one.
    const across = occupied ? (hutAt !== null && hutAt < 50 ? 24 : 77) : hutAt === null ? 50 : hutAt < 50 ? 62 : 38;
    const foot = occupied ? 82 : 88;
    things.push([foot, use("tower", x * SIDE + across, y * SIDE + foot)]);
  }
  if (hutAt !== null) things.push([95, use("hut", x * SIDE + hutAt, y * SIDE + 93)]);
  return things;
}

function growth({ x, y, landscape }: Ground, land: Land, hutAt: number | null): [number, string][] {
  let spots: [number, number][];
  if (landscape === "T") {
    spots = [0, 2].flatMap((row) => [0, 1, 2].map((i): [number, number] => [i * 32 + 18, row]));
    spots.push([34, 1], [66, 1]);
    if (land.get(at(x + 1, y))?.landscape === "T") spots.push([100, 1]);
  } else if (landscape === "F") {
    spots = [
      [28, 0],
      [70, 1],
      [36, 2],
    ];
  } else return [];
  const grown: [number, string][] = [];
  spots.forEach(([across, row], i) => {
    const px = across + (chance("tree", x, y, i) - 0.5) * 12;
    const py = 35 + (landscape === "T" ? 29.5 : 24) * row + (chance("tree-row", x, y, i) - 0.5) * 8;
    if (hutAt !== null && Math.abs(px - hutAt) < 27 && py > 60) return;
    const kind = landscape === "F" ? "ear" : chance("kind", x, y, i) < 2 / 3 ? "tree" : "fir";
    const scale = 0.76 + 0.38 * chance("height", x, y, i);
    const place = `translate(${Math.round(x * SIDE + px)} ${Math.round(y * SIDE + py)})scale(${short(scale)})`;
    grown.push([py, `<use href="#limes-${kind}" transform="${place}"/>`]);
  });
  return grown;
}

/** How far to the right in its zone the hut stands: on the side where there is water, if there is. */
export function hutPlace({ x, y }: Ground, land: Land): number {
  const [, east, , west] = neighbours(x, y);
  const [left, right] = [west!, east!].map(([nx, ny]) => land.get(at(nx, ny))?.landscape === "W");
  const onLeft = left !== right ? left : chance("hut", x, y) < 0.5;
  return onLeft ? 22 : 78;
}

function use(symbol: string, x: number, y: number): string {
  return `<use href="#limes-${symbol}" x="${short(x)}" y="${short(y)}"/>`;
}
