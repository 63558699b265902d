import { describe, expect, test } from "vitest";
import { boundsOf } from "../src/games/limes/draw/bounds";
import { LimesDraft } from "../src/games/limes/match/draft.svelte";
import { zoneWorkers } from "../src/games/limes/draw/figures";
import { outline } from "../src/games/limes/draw/outline";
import { cardGroundMap, territories, zonePosition } from "../src/games/limes/draw/zones";
import { displayWithCard } from "../src/games/limes/board/displayWithCard";
import type { LimesLegal, LimesWorker } from "../src/games/limes/types";

describe("drawing", () => {
  test("the position of a zone follows from its name", () => {
    expect(zonePosition("d4.ne")).toEqual({ x: 7, y: 6 });
    expect(zonePosition("a1.sw")).toEqual({ x: 0, y: 1 });
  });

  test("the outline of a ring has an outer and an inner loop", () => {
    const ring = ["0,0", "1,0", "2,0", "0,1", "2,1", "0,2", "1,2", "2,2"];
    expect(outline(new Set(ring)).match(/M/g)).toHaveLength(2);
    // Zones that touch at a corner only are not connected.
    expect(outline(new Set(["0,0", "1,1"])).match(/M/g)).toHaveLength(2);
  });

  test("equal zones of a card form a territory, towers do not", () => {
    expect(territories(cardGroundMap(["F", "F*", "R", "R"])).map((territory) => territory.length)).toEqual([2, 1, 1]);
  });

  test("several workers of a zone are smaller, side by side, and counted", () => {
    const worker = (zone: string, scored = false): LimesWorker => ({
      zone,
      scored,
      profession: "farmer",
      points: 1,
      territory: [],
      counted: [],
    });
    const groups = zoneWorkers([worker("d4.nw"), worker("d4.se"), worker("d4.nw", true)], new Map());
    expect(groups.map(({ zone, count }) => [zone, count])).toEqual([
      ["d4.nw", 2],
      ["d4.se", 1],
    ]);
    const [first, second] = groups[0]!.figures;
    expect([first!.worker.scored, second!.worker.scored]).toEqual([true, false]);
    expect(first!.scale).toBeLessThan(groups[1]!.figures[0]!.scale);
    expect(first!.x).toBeLessThan(second!.x);
    const crowded = zoneWorkers(
      Array.from({ length: 5 }, () => worker("d4.nw")),
      new Map(),
    )[0]!;
    expect([crowded.count, crowded.figures.length]).toEqual([5, 3]);
  });

  test("bounds have a minimum size with the cells in the middle", () => {
    expect(boundsOf(["d4"], 3, true)).toEqual({ column: 2, row: 2, columns: 3, rows: 3 });
    expect(boundsOf(["d4", "g4"], 3, true)).toEqual({ column: 3, row: 1.5, columns: 4, rows: 4 });
  });
});

test("a placed card is drawn before the server's preview arrives", () => {
  const worker: LimesWorker = { zone: "d4.ne", scored: true, profession: "fisherman", points: 2, territory: [], counted: [] };
  const zones = { "d4.nw": "F", "d4.ne": "W", "d4.sw": "R", "d4.se": "T*" };
  const display = {
    cards: 1,
    zones,
    territories: [["d4.nw"], ["d4.ne"], ["d4.sw"], ["d4.se"]],
    workers: [worker],
    supply: 6,
    total: 2,
  };
  const withCard = displayWithCard(display, ["W", "F", "T", "T"], "e4", null);
  expect(withCard.territories).toContainEqual(["d4.ne", "e4.nw"]);
  expect(withCard.territories).toContainEqual(["d4.se", "e4.sw", "e4.se"]);
  expect(withCard.zones).toEqual({ ...zones, "e4.nw": "W", "e4.ne": "F", "e4.sw": "T", "e4.se": "T" });
  expect(withCard.workers).toEqual([worker]);
  expect(displayWithCard(display, ["W", "F", "T", "T"], "e4", "d4.ne>e4.ne").workers).toEqual([]);
});

/** Create a draft whose previews fail. */
function draftOf(legal: LimesLegal): LimesDraft {
  return new LimesDraft(legal, () => Promise.reject(new Error()));
}

describe("a draft of Limes", () => {
  const legal = {
    cells: ["c4", "e4", "d5"],
    turns: {
      e4r0: { "": 3, "+nw": 5, "d4.se>e4.nw": 4 },
      e4r1: { "": 2, "+nw": 4 },
      c4r0: { "": 1 },
    },
  };

  test("the total follows every step, and every step can be undone", () => {
    const draft = draftOf(legal);
    expect(draft.total).toBe(null);
    draft.hovered = { cell: "c4" };
    expect(draft.total).toBe(1);
    draft.placeCard("e4");
    expect(draft.total).toBe(3);
    draft.rotate(1);
    expect(draft.total).toBe(2);
    draft.rotate(-1);
    draft.confirm();
    expect(draft.workerOptions.map(({ zone }) => zone)).toEqual(["e4.nw"]);
    draft.choose("+nw");
    expect([draft.notation, draft.total]).toEqual(["e4r0 +nw", 5]);
    draft.pickNextWorker();
    expect([draft.picked, draft.notation]).toEqual(["d4.se", "e4r0"]);
    draft.chooseQuarter(0);
    expect([draft.notation, draft.total]).toEqual(["e4r0 d4.se>e4.nw", 4]);
    const steps: (string | null)[] = [];
    while (draft.canUndo) {
      draft.undo();
      steps.push(draft.notation);
    }
    expect(steps).toEqual(["e4r0", "e4r0 +nw", "e4r0", "e4r0", "e4r1", "e4r0", null]);
  });

  test("restores a snapshot with its steps only if all are legal", () => {
    const draft = draftOf(legal);
    expect(draft.snapshot).toBe(null);
    draft.rotate(1);
    draft.placeCard("e4");
    draft.confirm();
    draft.choose("+nw");
    const snapshot: unknown = JSON.parse(JSON.stringify(draft.snapshot));
    const restored = draftOf(legal);
    restored.restore(snapshot);
    expect(restored.notation).toBe("e4r1 +nw");
    while (restored.canUndo) restored.undo();
    expect([restored.notation, restored.turning]).toEqual([null, 0]);
    for (const invalid of [null, 7, [null], [{ cell: "e4" }]]) restored.restore(invalid);
    const other = draftOf({ cells: ["c4"], turns: { c4r0: { "": 1 } } });
    other.restore(snapshot);
    expect([restored.stage, other.stage, other.canUndo]).toEqual(["place", "place", false]);
  });

  test("choosing no worker is a step that completes the turn", () => {
    const draft = draftOf(legal);
    draft.placeCard("e4");
    draft.confirm();
    expect(draft.turn).toBe(null);
    draft.pick("d4.se");
    draft.chooseNoWorker();
    expect([draft.turn, draft.picked, draft.total]).toEqual(["e4r0", null, 3]);
    draft.undo();
    expect([draft.turn, draft.picked]).toEqual([null, "d4.se"]);
    draft.applyTurn("e4r1");
    expect(draft.turn).toBe("e4r1");
  });

  test("illegal cells and actions cannot be chosen", () => {
    const draft = draftOf(legal);
    draft.placeCard("a1");
    draft.confirm();
    expect(draft.stage).toBe("place");
    draft.placeCard("c4");
    draft.confirm();
    draft.choose("+nw");
    draft.placeCard("e4");
    expect(draft.notation).toBe("c4r0");
  });

  test("arrow keys move the card to the nearest cell in their direction", () => {
    const draft = draftOf(legal);
    draft.moveCard(1, 0);
    expect(draft.cell).toBe("c4");
    draft.moveCard(1, 0);
    expect(draft.cell).toBe("e4");
    draft.moveCard(0, 1);
    expect(draft.cell).toBe("d5");
  });
});
