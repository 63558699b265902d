import { describe, expect, test } from "vitest";
import type { Replay } from "../src/lib/api";
import { momentIndexFromHash, findMoments } from "../src/lib/replay/timeline";

/** Return a replay of frames in the form `progress:player`, with `-` for chance. */
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
  test("are the start and the end of each round", () => {
    const moments = findMoments(replay("0", "0:-", "0:0", "1:1", "1:-", "1:0", "2:1"));
    expect(moments.map(({ progress, frame }) => [progress, frame])).toEqual([
      [0, 1],
      [1, 3],
      [2, 6],
    ]);
  });

  test("begin with the setup by chance, also before the first turn", () => {
    expect(findMoments(replay("0", "0:-", "0:-", "1:0")).map(({ frame }) => frame)).toEqual([2, 3]);
    expect(findMoments(replay("0", "1:0")).map(({ frame }) => frame)).toEqual([0, 1]);
    expect(findMoments(replay("0", "0:-")).map(({ frame }) => frame)).toEqual([1]);
  });

  test("include the end of a game that stopped within a round", () => {
    expect(findMoments(replay("0", "0:-", "0:0", "1:1", "1:-", "1:0")).at(-1)?.frame).toBe(5);
    expect(findMoments(replay("0", "0:-", "0:0", "1:1", "1:-")).at(-1)?.frame).toBe(3);
  });

  test("are named by a hash: this one, the next one, or none", () => {
    const moments = findMoments(replay("0", "1:0", "2:1"));
    expect(["#0", "#2", "#99", "", "#x", "#-1"].map((hash) => momentIndexFromHash(moments, hash))).toEqual([
      0,
      2,
      2,
      null,
      null,
      null,
    ]);
  });
});
