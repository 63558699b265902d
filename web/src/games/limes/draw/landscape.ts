/** Fields, water, forest and rock: the shapes on the ground, and the upright objects (trees, huts, towers). */
import { noise } from "$lib/components/noise";
import { ART, number, SIDE, roundHalfUp, type Shapes } from "./layers";
import { pathPoint } from "./outline";
import { positionKey, neighbors, positions, type Ground, type GroundMap, type Landscape } from "./zones";

type Shape = (x: number, y: number, zones: ReadonlySet<string>) => string;

/** Return the shapes on the ground of a territory. */
export function shapes(landscape: Landscape, zones: ReadonlySet<string>): Shapes {
  const named = Object.entries(SHAPES[landscape]).map(([name, shape]) => [
    name,
    positions(zones)
      .map(([x, y]) => shape(x, y, zones))
      .join(""),
  ]);
  return Object.fromEntries(named) as Shapes;
}

/** Return the parts of the furrows inside a zone. They continue in the adjacent zones without a seam. */
function furrows(x: number, y: number): string {
  const { gap, slope, wander, pieces } = ART.furrows;
  const step = SIDE / pieces;
  // The furrows fall to the right: the first one in the zone is found on its left side, the last one on its right side.
  const first = Math.floor((y * SIDE - slope * x * SIDE - wander / 2) / gap);
  const last = Math.ceil(((y + 1) * SIDE - slope * (x + 1) * SIDE + wander / 2) / gap);
  let path = "";
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
      if (!penDown) path += `M${pathPoint(x * SIDE + i * step, roundHalfUp(a))}`;
      path += `l${pathPoint(step, roundHalfUp(b) - roundHalfUp(a))}`;
      penDown = true;
    }
  }
  return path;
}

function furrowHeight(row: number, x: number): number {
  const base = row * ART.furrows.gap + ART.furrows.slope * x;
  return base + (smooth(x / SIDE, base / SIDE) - 0.5) * ART.furrows.wander;
}

/** Return value noise: random values at the corners of the zones, smoothly interpolated. */
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
  let path = "";
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      if ((row + column + Math.floor(noise("calm", x, y) * 2)) % 2) continue;
      const wx = x * SIDE + first[0]! + apart[0]! * column + (noise("wave", x, y, row, column) - 0.5) * jitter[0]!;
      const wy = y * SIDE + first[1]! + apart[1]! * row + (noise("ebb", x, y, row, column) - 0.5) * jitter[1]!;
      path += wave(wx, wy);
    }
  }
  // Waves across the borders to adjacent water zones.
  if (zones.has(positionKey(x + 1, y)))
    path += wave(x * SIDE + east.first[0]!, y * SIDE + east.first[1]! + east.jitter * noise("current", x, y));
  if (zones.has(positionKey(x, y + 1)))
    path += wave(x * SIDE + south.first[0]! + south.jitter * noise("tide", x, y), y * SIDE + south.first[1]!);
  return path;
}

function wave(x: number, y: number): string {
  return `M${roundHalfUp(x)} ${roundHalfUp(y)}${ART.waves.line}`;
}

function tufts(x: number, y: number): string {
  let path = "";
  for (let i = 0; i < ART.tufts.count; i++) {
    const [tx, ty] = [(x + noise("tuft", x, y, i)) * SIDE, (y + noise("tuft-row", x, y, i)) * SIDE];
    path += `M${roundHalfUp(tx)} ${roundHalfUp(ty)}${ART.tufts.line}`;
  }
  return path;
}

/** Return the corners of the plateau, relative to the middle of its zone. */
function crag(x: number, y: number): [number, number][] {
  const { corners, turn, reach, jitter, tilt } = ART.crag;
  return Array.from({ length: corners }, (_, i) => {
    const angle = ((i + turn * (noise("crag", x, y, i) - 0.5)) * 2 * Math.PI) / corners;
    const distance = reach + jitter * noise("crag-reach", x, y, i);
    return [distance * Math.cos(angle), distance * tilt * Math.sin(angle)];
  });
}

/** Return the strokes down the slope around the plateau. */
function hachures(x: number, y: number): string {
  const [cx, cy] = [(x + 0.5) * SIDE, (y + 0.5) * SIDE];
  const { count, off, length: minLength, light, jitter } = ART.hachures;
  const corners = crag(x, y);
  let path = "";
  corners.forEach(([ax, ay], i) => {
    const [bx, by] = corners[(i + 1) % corners.length]!;
    for (let j = 0; j < count; j++) {
      const [sx, sy] = [ax + ((bx - ax) * j) / count, ay + ((by - ay) * j) / count];
      const distance = Math.sqrt(sx * sx + sy * sy);
      const [ux, uy] = [sx / distance, sy / distance];
      // Longer strokes on the southeast: light comes from the northwest.
      const length = minLength + light * (ux + uy) + jitter * noise("hachure", x, y, i, j);
      path += `M${roundHalfUp(cx + sx + ux * off)} ${roundHalfUp(cy + sy + uy * off)}`;
      path += `l${roundHalfUp(ux * length)} ${roundHalfUp(uy * length)}`;
    }
  });
  return path;
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

/** An upright object on the ground; `x` and `y` are the position of its foot. */
export interface Upright {
  symbol: string;
  x: number;
  y: number;
  scale: string;
  /** Drawing order: objects with a larger depth are nearer and drawn later. */
  depth: number;
}

/** Return the upright objects of a zone; `occupied` is true if it has a worker, for whom a tower moves aside. */
export function uprights(zone: Ground, ground: GroundMap, occupied: boolean): Upright[] {
  const { x, y, landscape } = zone;
  const hutX = hutOffset(x, y, ground);
  const objects = plants(zone, ground, hutX);
  if (landscape === "R") {
    // The tower stands behind the watchman's shoulder, and behind a hut.
    const art = ART.tower[occupied ? "occupied" : "free"];
    const across = art[hutX === null ? "alone" : hutX < SIDE / 2 ? "left" : "right"];
    const foot = y * SIDE + art.foot;
    objects.push({ symbol: "tower", x: x * SIDE + across, y: foot, scale: "1", depth: foot });
  }
  if (hutX !== null) {
    const { foot, depth } = ART.hut;
    objects.push({ symbol: "hut", x: x * SIDE + hutX, y: y * SIDE + foot, scale: "1", depth: y * SIDE + depth });
  }
  return objects;
}

function plants({ x, y, landscape }: Ground, ground: GroundMap, hutX: number | null): Upright[] {
  if (landscape !== "F" && landscape !== "T") return [];
  const { jitter, scale, taller, clearing } = ART.plants;
  const { symbols, places } = ART.plants[landscape];
  // Between two forest zones, a tree stands on the border.
  const seam = landscape === "T" && ground.get(positionKey(x + 1, y))?.landscape === "T" ? [ART.plants.T.seam] : [];
  const trees: Upright[] = [];
  [...places, ...seam].forEach(([across, down], i) => {
    const px = across! + (noise("tree", x, y, i) - 0.5) * jitter[0]!;
    const py = down! + (noise("tree-row", x, y, i) - 0.5) * jitter[1]!;
    if (hutX !== null && Math.abs(px - hutX) < clearing.across && py > clearing.below) return;
    trees.push({
      symbol: symbols[Math.floor(noise("kind", x, y, i) * symbols.length)]!,
      x: roundHalfUp(x * SIDE + px),
      y: roundHalfUp(y * SIDE + py),
      scale: number(scale + taller * noise("height", x, y, i)),
      depth: y * SIDE + py,
    });
  });
  return trees;
}

/** Return the horizontal position of the zone's hut within the zone, beside water if possible; null without a hut. */
export function hutOffset(x: number, y: number, ground: GroundMap): number | null {
  if (!ground.get(positionKey(x, y))?.hut) return null;
  const [, east, , west] = neighbors(x, y);
  const [left, right] = [west!, east!].map(([nx, ny]) => ground.get(positionKey(nx, ny))?.landscape === "W");
  const onLeft = left !== right ? left : noise("hut", x, y) < 0.5;
  return onLeft ? ART.hut.left : ART.hut.right;
}
