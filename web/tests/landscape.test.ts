/** The page and the Python package draw the same: both are compared with tests/fixtures/landscape.json. */
import { describe, expect, test } from "vitest";
import fixture from "../../tests/fixtures/landscape.json";
import { boundsOf, cellsOf } from "../src/games/limes/draw/bounds";
import { noise, fnv1a } from "../src/lib/components/noise";
import { zoneWorkers } from "../src/games/limes/draw/figures";
import { baseShapes, territoryShapes, uprightRows } from "../src/games/limes/draw/ground";
import * as highlight from "../src/games/limes/draw/highlight";
import { handDrawn } from "../src/games/limes/draw/outline";
import * as sheet from "../src/games/limes/draw/sheet";
import { positionKey, cardLand, landOf, territories, zoneKey, type Land } from "../src/games/limes/draw/zones";
import type { LimesDisplay } from "../src/games/limes/types";

function uprightTexts(land: Land, occupied: ReadonlySet<string>): Record<string, string[]> {
  const drawn = [...uprightRows(land, occupied)].map(([y, row]) => [
    y,
    row.map(({ symbol, x, y, scale }) => `${symbol} ${x} ${y} ${scale}`),
  ]);
  return Object.fromEntries(drawn) as Record<string, string[]>;
}

function coverShapes(land: Land, groups: string[][]): unknown[] {
  return groups.map((zones) => territoryShapes(new Set(zones), land, handDrawn(land)));
}

test("noise is the same number for the same key", () => {
  for (const [text, hash] of Object.entries(fixture.hashes)) expect(fnv1a(text)).toBe(hash);
  for (const { what, place, is } of fixture.chances) expect(noise(what, ...place)).toBe(is);
});

describe.each(fixture.displays.map((display, i) => [i + 1, display] as const))("display %d", (_, display) => {
  const { zones, workers } = display as unknown as LimesDisplay;
  const land = landOf(zones);

  test("the ground of each territory is the same", () => {
    expect(baseShapes(land)).toEqual(display.drawn.ground);
    const groups = display.territories.map((names) => names.map(zoneKey));
    expect(coverShapes(land, groups)).toEqual(display.drawn.territories);
  });

  test("upright objects are the same, from back to front", () => {
    expect(uprightTexts(land, new Set(workers.map(({ zone }) => zoneKey(zone))))).toEqual(display.drawn.rows);
  });

  test("workers have the same positions and sizes", () => {
    const drawn = zoneWorkers(workers, land).map(({ zone, count, figures }) => ({
      zone,
      count,
      figures: figures.map(({ x, y, scale }) => [x, y, scale]),
    }));
    expect(drawn).toEqual(display.drawn.zone_workers);
  });

  test("the highlight of a worker's points is the same", () => {
    const drawn = workers.map((worker) => ({
      shapes: highlight.shapes(worker, land),
      huts: highlight.hutPositions(worker, land),
      numbers: highlight.numberPositions(worker, land),
    }));
    expect(drawn).toEqual(display.drawn.highlights);
  });

  test("the sheet has the same border and labels", () => {
    const paper = sheet.sheetAround(boundsOf(cellsOf(zones)), "labels");
    const labels = sheet.labelPositions(paper).map(({ text, x, y }) => [text, x, y]);
    expect({ ...sheet.shapes(paper), labels }).toEqual(display.drawn.sheet);
  });
});

test.each(fixture.cards)("the card $face at $x $y is the same", ({ face, x, y, drawn }) => {
  const land = cardLand(face, x, y);
  const groups = territories(land).map((zones) => zones.map((zone) => positionKey(zone.x, zone.y)));
  expect(baseShapes(land)).toEqual(drawn.ground);
  expect(coverShapes(land, groups)).toEqual(drawn.territories);
  expect(uprightTexts(land, new Set())).toEqual(drawn.rows);
});
