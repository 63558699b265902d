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

test("a turn is judged by what leads to the same", () => {
  const how = (...alike: string[]) => rateKnownTurn(alike, TURN, "points");
  expect(how("e5r2", "f4r1")).toEqual({ how: "best", lost: 0 });
  expect(how("e5r0")?.how).toBe("good");
  expect(how("f4r1")).toEqual({ how: "less", lost: 2 });
  expect(how("c5r1")).toEqual({ how: "played", lost: 3 });
  expect(how()).toBeNull();
});

test("a turn that the review does not know is judged by what it is worth, beside the turn played", () => {
  expect(rateByValue(51, TURN, "points").how).toBe("good");
  expect(rateByValue(48.5, TURN, "points")).toEqual({ how: "less", lost: 1.5 });
  expect(rateByValue(45, TURN, "points")).toEqual({ how: "worse", lost: 5 });
});
