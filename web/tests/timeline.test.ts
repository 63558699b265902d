import { describe, expect, test } from "vitest";
import type { Replay } from "../src/lib/api";
import { momentIndexFromHash, findMoments } from "../src/lib/replay/timeline";

/** A replay of frames written as `progress:player`, chance as `-`. */
function replay(...frames: string[]): Replay {
  return {
    frames: frames.map((frame, index) => {
      const [progress, player] = frame.split(":");
      const step = index === 0 ? null : { player: player === "-" ? null : Number(player), text: "" };
      return { step, progress: Number(progress), scores: [index], view: {} };
    }),
  } as unknown as Replay;
}

describe("the moments of a replay", () => {
  test("are the start and the end of each round, whatever chance did in between", () => {
    const found = findMoments(replay("0", "0:-", "0:0", "1:1", "1:-", "1:0", "2:1"));
    expect(found.map(({ progress, frame }) => [progress, frame])).toEqual([
      [0, 1],
      [1, 3],
      [2, 6],
    ]);
  });

  test("begin with what chance has set up, even where nobody has moved yet", () => {
    expect(findMoments(replay("0", "0:-", "0:-", "1:0")).map(({ frame }) => frame)).toEqual([2, 3]);
    expect(findMoments(replay("0", "1:0")).map(({ frame }) => frame)).toEqual([0, 1]);
    expect(findMoments(replay("0", "0:-")).map(({ frame }) => frame)).toEqual([1]);
  });

  test("a game left in the middle of a round ends where it was left", () => {
    expect(findMoments(replay("0", "0:-", "0:0", "1:1", "1:-", "1:0")).at(-1)?.frame).toBe(5);
    expect(findMoments(replay("0", "0:-", "0:0", "1:1", "1:-")).at(-1)?.frame).toBe(3);
  });

  test("an address names a moment, the nearest there is, or none", () => {
    const found = findMoments(replay("0", "1:0", "2:1"));
    expect(["#0", "#2", "#99", "", "#x", "#-1"].map((hash) => momentIndexFromHash(found, hash))).toEqual([
      0,
      2,
      2,
      null,
      null,
      null,
    ]);
  });
});
