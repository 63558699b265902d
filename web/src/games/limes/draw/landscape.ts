/** Fields, water, forest and rock: the shapes on the ground of each, and what stands on it. */
import { noise } from "$lib/components/noise";
import { ART, number, SIDE, roundHalfUp, type Shapes } from "./layers";
import { pathPoint } from "./outline";
import { at, neighbors, places, type Ground, type Land, type Landscape } from "./zones";

type Shape = (x: number, y: number, zones: ReadonlySet<string>) => string;

/** What is drawn on the ground of a territory. */
export function shapes(landscape: Landscape, zones: ReadonlySet<string>): Shapes {
  const drawn = Object.entries(SHAPES[landscape]).map(([name, shape]) => [
    name,
    places(zones)
      .map(([x, y]) => shape(x, y, zones))
      .join(""),
  ]);
  return Object.fromEntries(drawn) as Shapes;
}

/** The pieces of the furrows inside a zone; they go on in the next zone as if there were no seam. */
function furrows(x: number, y: number): string {
  const { gap, slope, wander, pieces } = ART.furrows;
  const step = SIDE / pieces;
  // The slope falls to the right, so the left side knows the first furrow that can reach the zone, the right the last.
  const first = Math.floor((y * SIDE - slope * x * SIDE - wander / 2) / gap);
  const last = Math.ceil(((y + 1) * SIDE - slope * (x + 1) * SIDE + wander / 2) / gap);
  let written = "";
  for (let row = first; row <= last; row++) {
    const heights = Array.from({ length: pieces + 1 }, (_, i) => furrowHeight(row, x * SIDE + i * step));
    let penDown = false;
    for (let i = 0; i < pieces; i++) {
      const [a, b] = [heights[i]!, heights[i + 1]!];
      const middle = (a + b) / 2;
      if (middle < y * SIDE || middle >= (y + 1) * SIDE) {
        penDown = false;
        continue;
      }
      if (!penDown) written += `M${pathPoint(x * SIDE + i * step, roundHalfUp(a))}`;
      written += `l${pathPoint(step, roundHalfUp(b) - roundHalfUp(a))}`;
      penDown = true;
    }
  }
  return written;
}

function furrowHeight(row: number, x: number): number {
  const base = row * ART.furrows.gap + ART.furrows.slope * x;
  return base + (smooth(x / SIDE, base / SIDE) - 0.5) * ART.furrows.wander;
}

/** Chance numbers at the corners of the zones, blended softly in between. */
function smooth(x: number, y: number): number {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  const [across, down] = [ease(x - left), ease(y - top)];
  const upper = noise("furrow", left, top) * (1 - across) + noise("furrow", left + 1, top) * across;
  const lower = noise("furrow", left, top + 1) * (1 - across) + noise("furrow", left + 1, top + 1) * across;
  return upper * (1 - down) + lower * down;
}

function ease(share: number): number {
  return share * share * (3 - 2 * share);
}

function waves(x: number, y: number, zones: ReadonlySet<string>): string {
  const { rows, columns, first, apart, jitter, east, south } = ART.waves;
  let written = "";
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      if ((row + column + Math.floor(noise("calm", x, y) * 2)) % 2) continue;
      const wx = x * SIDE + first[0]! + apart[0]! * column + (noise("wave", x, y, row, column) - 0.5) * jitter[0]!;
      const wy = y * SIDE + first[1]! + apart[1]! * row + (noise("ebb", x, y, row, column) - 0.5) * jitter[1]!;
      written += wave(wx, wy);
    }
  }
  // Waves across the seam, where the water goes on.
  if (zones.has(at(x + 1, y)))
    written += wave(x * SIDE + east.first[0]!, y * SIDE + east.first[1]! + east.jitter * noise("current", x, y));
  if (zones.has(at(x, y + 1)))
    written += wave(x * SIDE + south.first[0]! + south.jitter * noise("tide", x, y), y * SIDE + south.first[1]!);
  return written;
}

function wave(x: number, y: number): string {
  return `M${roundHalfUp(x)} ${roundHalfUp(y)}${ART.waves.line}`;
}

function tufts(x: number, y: number): string {
  let written = "";
  for (let i = 0; i < ART.tufts.count; i++) {
    const [tx, ty] = [(x + noise("tuft", x, y, i)) * SIDE, (y + noise("tuft-row", x, y, i)) * SIDE];
    written += `M${roundHalfUp(tx)} ${roundHalfUp(ty)}${ART.tufts.line}`;
  }
  return written;
}

/** The corners of the plateau, seen from the middle of its zone. */
function crag(x: number, y: number): [number, number][] {
  const { corners, turn, reach, jitter, tilt } = ART.crag;
  return Array.from({ length: corners }, (_, i) => {
    const angle = ((i + turn * (noise("crag", x, y, i) - 0.5)) * 2 * Math.PI) / corners;
    const away = reach + jitter * noise("crag-reach", x, y, i);
    return [away * Math.cos(angle), away * tilt * Math.sin(angle)];
  });
}

/** The strokes down the slope around the plateau. */
function hachures(x: number, y: number): string {
  const [cx, cy] = [(x + 0.5) * SIDE, (y + 0.5) * SIDE];
  const { count, off, length: least, light, jitter } = ART.hachures;
  const corners = crag(x, y);
  let written = "";
  corners.forEach(([ax, ay], i) => {
    const [bx, by] = corners[(i + 1) % corners.length]!;
    for (let j = 0; j < count; j++) {
      const [sx, sy] = [ax + ((bx - ax) * j) / count, ay + ((by - ay) * j) / count];
      const away = Math.sqrt(sx * sx + sy * sy);
      const [ux, uy] = [sx / away, sy / away];
      // Longer strokes on the south-east: light comes from the north-west.
      const length = least + light * (ux + uy) + jitter * noise("hachure", x, y, i, j);
      written += `M${roundHalfUp(cx + sx + ux * off)} ${roundHalfUp(cy + sy + uy * off)}`;
      written += `l${roundHalfUp(ux * length)} ${roundHalfUp(uy * length)}`;
    }
  });
  return written;
}

function plateau(x: number, y: number): string {
  const [cx, cy] = [(x + 0.5) * SIDE, (y + 0.5) * SIDE];
  return `M${crag(x, y)
    .map(([px, py]) => `${roundHalfUp(cx + px)} ${roundHalfUp(cy + py)}`)
    .join("L")}Z`;
}

const SHAPES: Record<Landscape, Record<string, Shape>> = {
  F: { furrows },
  W: { waves },
  T: { tufts },
  R: { hachures, plateau },
};

/** A thing that stands on the ground: where its foot is, how large it is, and how near, so what it stands before. */
export interface Upright {
  symbol: string;
  x: number;
  y: number;
  scale: string;
  depth: number;
}

/** What stands on a zone; `occupied` says whether a worker stands there too. */
export function uprights(zone: Ground, land: Land, occupied: boolean): Upright[] {
  const { x, y, landscape } = zone;
  const hutAt = hutOffset(x, y, land);
  const things = plants(zone, land, hutAt);
  if (landscape === "R") {
    // Behind the watchman's shoulder, and behind the hut if there is one.
    const art = ART.tower[occupied ? "occupied" : "free"];
    const across = art[hutAt === null ? "alone" : hutAt < SIDE / 2 ? "left" : "right"];
    const foot = y * SIDE + art.foot;
    things.push({ symbol: "tower", x: x * SIDE + across, y: foot, scale: "1", depth: foot });
  }
  if (hutAt !== null) {
    const { foot, depth } = ART.hut;
    things.push({ symbol: "hut", x: x * SIDE + hutAt, y: y * SIDE + foot, scale: "1", depth: y * SIDE + depth });
  }
  return things;
}

function plants({ x, y, landscape }: Ground, land: Land, hutAt: number | null): Upright[] {
  if (landscape !== "F" && landscape !== "T") return [];
  const { jitter, scale, taller, clearing } = ART.plants;
  const { symbols, places } = ART.plants[landscape];
  // Where the wood goes on, a tree stands on the seam.
  const seam = landscape === "T" && land.get(at(x + 1, y))?.landscape === "T" ? [ART.plants.T.seam] : [];
  const grown: Upright[] = [];
  [...places, ...seam].forEach(([across, down], i) => {
    const px = across! + (noise("tree", x, y, i) - 0.5) * jitter[0]!;
    const py = down! + (noise("tree-row", x, y, i) - 0.5) * jitter[1]!;
    if (hutAt !== null && Math.abs(px - hutAt) < clearing.across && py > clearing.below) return;
    grown.push({
      symbol: symbols[Math.floor(noise("kind", x, y, i) * symbols.length)]!,
      x: roundHalfUp(x * SIDE + px),
      y: roundHalfUp(y * SIDE + py),
      scale: number(scale + taller * noise("height", x, y, i)),
      depth: y * SIDE + py,
    });
  });
  return grown;
}

/** How far to the right in its zone the hut stands, if there is one: beside water, if there is any. */
export function hutOffset(x: number, y: number, land: Land): number | null {
  if (!land.get(at(x, y))?.hut) return null;
  const [, east, , west] = neighbors(x, y);
  const [left, right] = [west!, east!].map(([nx, ny]) => land.get(at(nx, ny))?.landscape === "W");
  const onLeft = left !== right ? left : noise("hut", x, y) < 0.5;
  return onLeft ? ART.hut.left : ART.hut.right;
}
