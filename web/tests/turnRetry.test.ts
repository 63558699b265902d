import { expect, test } from "vitest";
import { rateKnownTurn, rateByValue } from "../src/lib/learn/turnRetry.svelte";
import type { ReviewedTurn } from "../src/lib/review/reviewStream";

const TURN = {
  played: "c5r1",
  best: "e5r2",
  before: 50,
  lost: 3,
  candidates: [
    { turn: "e5r2", value: 50 },
    { turn: "e5r0", value: 49.99 },
    { turn: "f4r1", value: 48 },
  ],
} as ReviewedTurn;

test("a turn is rated by an equivalent one in the review", () => {
  const verdict = (...equivalentTurns: string[]) => rateKnownTurn(equivalentTurns, TURN, "points");
  expect(verdict("e5r2", "f4r1")).toEqual({ kind: "best", lost: 0 });
  expect(verdict("e5r0")?.kind).toBe("good");
  expect(verdict("f4r1")).toEqual({ kind: "less", lost: 2 });
  expect(verdict("c5r1")).toEqual({ kind: "played", lost: 3 });
  expect(verdict()).toBeNull();
});

test("an unreviewed turn is rated by its value, compared with the played turn", () => {
  expect(rateByValue(51, TURN, "points").kind).toBe("good");
  expect(rateByValue(48.5, TURN, "points")).toEqual({ kind: "less", lost: 1.5 });
  expect(rateByValue(45, TURN, "points")).toEqual({ kind: "worse", lost: 5 });
});
