import { describe, expect, test } from "vitest";
import fixture from "../../tests/fixtures/water.json";
import {
  ASPECT,
  center,
  hexagonPath,
  placeName,
  tileInDirection,
  paintingOrder,
  parsePlace,
  route,
  tileAt,
  viewBox,
  wavePath,
} from "../src/games/limit/board/geometry";

describe("the geometry of the Limit board", () => {
  test("names and places convert into each other", () => {
    expect(parsePlace("c4")).toEqual({ q: 2, r: 4 });
    expect(placeName(parsePlace("k10"))).toBe("k10");
  });

  test("tiles and water are drawn as the Python package draws them", () => {
    expect(fixture.land.map((name) => hexagonPath(center(name)))).toEqual(fixture.hexagons);
    expect(wavePath(fixture.visible, fixture.land)).toBe(fixture.waves);
  });

  test("near tiles are painted after far ones, row 10 after row 9", () => {
    expect(paintingOrder(["a10", "b9", "a9", "c1"])).toEqual(["c1", "a9", "b9", "a10"]);
  });

  test("a route is the shortest one over free tiles", () => {
    const free = ["b1", "c1", "d1", "a2", "c2"];
    expect(route("a1", "d1", free)).toEqual(["a1", "b1", "c1", "d1"]);
    expect(route("a1", "z9", free)).toEqual(["a1", "z9"]);
  });

  test("the view box has a constant aspect ratio and contains every tile", () => {
    for (const names of [["a1"], ["a1", "h1"], ["a1", "a8", "h8"]]) {
      const box = viewBox(names);
      expect(box.height / box.width).toBeCloseTo(ASPECT);
      for (const { x, y } of names.map(center)) {
        expect(x).toBeGreaterThan(box.x + 40);
        expect(x).toBeLessThan(box.x + box.width - 40);
        expect(y).toBeGreaterThan(box.y + 40);
        expect(y).toBeLessThan(box.y + box.height - 40);
      }
    }
  });

  test("a point finds the tile under it, and none far from all tiles", () => {
    const { x, y } = center("c4");
    expect(tileAt({ x: x + 10, y: y - 10 }, ["c4", "d4", "c3"])).toBe("c4");
    expect(tileAt({ x: x + 500, y }, ["c4", "d4", "c3"])).toBe(null);
  });

  test("arrow keys reach every tile across a gap, and lead back", () => {
    const names = ["a1", "b1", "d1", "a2", "b2", "c2", "a3", "c3", "f3"];
    const reached = new Set(["a1"]);
    for (const name of reached) {
      for (const direction of ["left", "right", "up", "down"] as const) {
        const next = tileInDirection(name, direction, names);
        if (next) reached.add(next);
      }
    }
    expect([...reached].sort()).toEqual([...names].sort());
    expect(tileInDirection("b1", "right", names)).toBe("d1");
    expect(tileInDirection("d1", "left", names)).toBe("b1");
    expect(tileInDirection("a1", "left", names)).toBe(null);
  });
});
