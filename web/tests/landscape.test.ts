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
import {
  positionKey,
  cardGroundMap,
  displayGroundMap,
  territories,
  zoneKey,
  type GroundMap,
} from "../src/games/limes/draw/zones";
import type { LimesDisplay } from "../src/games/limes/types";

function uprightTexts(ground: GroundMap, occupied: ReadonlySet<string>): Record<string, string[]> {
  const drawn = [...uprightRows(ground, occupied)].map(([y, row]) => [
    y,
    row.map(({ symbol, x, y, scale }) => `${symbol} ${x} ${y} ${scale}`),
  ]);
  return Object.fromEntries(drawn) as Record<string, string[]>;
}

function coverShapes(ground: GroundMap, groups: string[][]): unknown[] {
  return groups.map((zones) => territoryShapes(new Set(zones), ground, handDrawn(ground)));
}

test("noise is the same number for the same key", () => {
  for (const [text, hash] of Object.entries(fixture.hashes)) expect(fnv1a(text)).toBe(hash);
  for (const { what, place, is } of fixture.chances) expect(noise(what, ...place)).toBe(is);
});

describe.each(fixture.displays.map((display, i) => [i + 1, display] as const))("display %d", (_, display) => {
  const { zones, workers } = display as unknown as LimesDisplay;
  const ground = displayGroundMap(zones);

  test("the ground of each territory is the same", () => {
    expect(baseShapes(ground)).toEqual(display.drawn.ground);
    const groups = display.territories.map((names) => names.map(zoneKey));
    expect(coverShapes(ground, groups)).toEqual(display.drawn.territories);
  });

  test("upright objects are the same, from back to front", () => {
    expect(uprightTexts(ground, new Set(workers.map(({ zone }) => zoneKey(zone))))).toEqual(display.drawn.rows);
  });

  test("workers have the same positions and sizes", () => {
    const drawn = zoneWorkers(workers, ground).map(({ zone, count, figures }) => ({
      zone,
      count,
      figures: figures.map(({ x, y, scale }) => [x, y, scale]),
    }));
    expect(drawn).toEqual(display.drawn.zone_workers);
  });

  test("the highlight of a worker's points is the same", () => {
    const drawn = workers.map((worker) => ({
      shapes: highlight.shapes(worker, ground),
      huts: highlight.hutPositions(worker, ground),
      numbers: highlight.numberPositions(worker, ground),
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
  const ground = cardGroundMap(face, x, y);
  const groups = territories(ground).map((zones) => zones.map((zone) => positionKey(zone.x, zone.y)));
  expect(baseShapes(ground)).toEqual(drawn.ground);
  expect(coverShapes(ground, groups)).toEqual(drawn.territories);
  expect(uprightTexts(ground, new Set())).toEqual(drawn.rows);
});
