/** Why a worker is worth his points: what he counts is lit, the rest steps back. */
import type { LimesWorker } from "$lib/api";
import { hutPlace } from "./landscape";
import { outline, type Bend } from "./outline";
import { at, neighbours, short, SIDE, zonePlace, type Land } from "./zones";

const key = (zone: string) => {
  const { x, y } = zonePlace(zone);
  return at(x, y);
};

/** Let everything step back that has no part in the points. */
export function veil(lit: LimesWorker, land: Land, bend: Bend): string {
  const shown = new Set([...lit.territory, ...lit.counted.flat()].map(key));
  const hidden = new Set([...land.keys()].filter((zone) => !shown.has(zone)));
  return `<path d="${outline(hidden, { bend })}" fill="var(--veil)" fill-opacity=".6"/>`;
}

/** The light that falls on what the worker counts; it lies on the ground, under the figures. */
export function light(lit: LimesWorker, land: Land, bend: Bend, id: string): string {
  const home = new Set(lit.territory.map(key));
  switch (lit.profession) {
    case "farmer":
      return border(home, bend, 0.35);
    case "fisherman":
      return (
        border(home, bend) +
        lit.counted
          .flat()
          .map((zone) => hut(zone, land, id))
          .join("")
      );
    case "woodcutter":
      return border(home, bend) + notches(lit, bend);
    case "watchman":
      return rays(lit);
  }
}

/** Number what the worker counts, so that the last number is his points. */
export function tally(lit: LimesWorker, land: Land): string {
  const groups = lit.counted.map((zones) => zones.map(zonePlace));
  const first = (zones: { x: number; y: number }[]) => Math.min(...zones.map(({ x, y }) => 100 * y + x));
  const self = key(lit.zone);
  let drawn = "";
  groups
    .sort((a, b) => first(a) - first(b))
    .forEach((zones, i) => {
      // A zone without a hut and without the worker himself has the most room for a number.
      const weight = ({ x, y }: { x: number; y: number }) =>
        (at(x, y) === self ? 1e6 : 0) + (land.get(at(x, y))?.hut ? 1e5 : 0) + 100 * y + x;
      const { x, y } = zones.reduce((best, zone) => (weight(zone) < weight(best) ? zone : best));
      const here = land.get(at(x, y));
      const cx = x * SIDE + (here?.hut && hutPlace(here, land) < 50 ? 84 : 16);
      drawn +=
        `<circle cx="${cx}" cy="${y * SIDE + 17}" r="13.5" fill="var(--glow-line)"/>` +
        `<text x="${cx}" y="${y * SIDE + 23.5}">${i + 1}</text>`;
    });
  return `<g fill="var(--glow-case)" font-size="18" font-weight="800" text-anchor="middle">${drawn}</g>`;
}

function border(zones: ReadonlySet<string>, bend?: Bend, fill = 0): string {
  const d = outline(zones, bend ? { bend } : {});
  return (
    `<path d="${d}" fill="var(--glow)" fill-opacity="${fill}" stroke="var(--glow)" stroke-width="16"` +
    ` stroke-opacity=".75" stroke-linejoin="round"/>` +
    `<path d="${d}" fill="none" stroke="var(--glow-line)" stroke-width="4"/>`
  );
}

function hut(zone: string, land: Land, id: string): string {
  const here = land.get(key(zone));
  if (!here?.hut) return "";
  const [x, y] = [here.x * SIDE + hutPlace(here, land), here.y * SIDE + 93];
  return `<circle cx="${x}" cy="${y - 14}" r="48" fill="url(#${id}glow)"/><use href="#limes-hut-lit" x="${x}" y="${y}"/>`;
}

/** Where the forest touches its neighbours: an arrowhead across the border. */
function notches(lit: LimesWorker, bend: Bend): string {
  const counted = new Set(lit.counted.flat().map(key));
  let d = "";
  for (const zone of lit.territory) {
    const { x, y } = zonePlace(zone);
    for (const [nx, ny] of neighbours(x, y)) {
      if (!counted.has(at(nx, ny))) continue;
      const [dx, dy] = [nx - x, ny - y];
      const [low, high] = [Math.max(x, nx), Math.max(y, ny)];
      const bent = dy ? bend([x, high], [x + 1, high]) : bend([low, y], [low, y + 1]);
      const cx = x * SIDE + 50 + dx * 50 + (dx ? bent : 0);
      const cy = y * SIDE + 50 + dy * 50 + (dy ? bent : 0);
      d +=
        `M${short(cx - dx * 5 + dy * 13)} ${short(cy - dy * 5 + dx * 13)}L${short(cx + dx * 17)} ${short(cy + dy * 17)}` +
        `L${short(cx - dx * 5 - dy * 13)} ${short(cy - dy * 5 - dx * 13)}Z`;
    }
  }
  return `<path d="${d}" fill="var(--glow)" stroke="var(--glow-edge)" stroke-width="3.4" stroke-linejoin="round"/>`;
}

function rays(lit: LimesWorker): string {
  const from = zonePlace(lit.zone);
  let [line, ends, tiles] = ["", "", ""];
  for (const zone of new Set(lit.counted.flat())) {
    const { x, y } = zonePlace(zone);
    const [dx, dy] = [Math.sign(x - from.x), Math.sign(y - from.y)];
    line += `M${from.x * SIDE + 50 + dx * 46} ${from.y * SIDE + 50 + dy * 46}L${x * SIDE + 50} ${y * SIDE + 50}`;
    ends += `<circle cx="${x * SIDE + 50}" cy="${y * SIDE + 50}" r="7"/>`;
    tiles += border(new Set([key(zone)]));
  }
  return (
    tiles +
    `<path d="${line}" fill="none" stroke="var(--glow)" stroke-width="8" stroke-opacity=".55" stroke-linecap="round"/>` +
    `<path d="${line}" fill="none" stroke="var(--glow-line)" stroke-width="2.4"/>` +
    `<g fill="var(--glow)" stroke="var(--glow-edge)" stroke-width="2.4">${ends}</g>` +
    border(new Set([key(lit.zone)]))
  );
}
