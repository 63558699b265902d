import { expect, test } from "vitest";
import type { StepState } from "../src/lib/api";
import { isHintValid } from "../src/lib/review/hintValidity";

const step = (player: number | null, text: string) => ({ player, text }) as StepState;
const ROUND = [step(null, "5"), step(0, "d4r0"), step(1, "d4r1"), step(null, "7")];

test("a hint is valid until its player moves or the round ends", () => {
  expect(isHintValid(ROUND, ROUND, 0)).toBe(true);
  expect(isHintValid(ROUND, [...ROUND, step(1, "e4r0")], 0)).toBe(true);
  expect(isHintValid(ROUND, [...ROUND, step(1, "e4r0"), step(0, "e4r2")], 0)).toBe(false);
  expect(isHintValid(ROUND, [...ROUND, step(1, "e4r0"), step(null, "9")], 0)).toBe(false);
});

test("a hint is invalid if other turns were played after a take-back", () => {
  expect(isHintValid(ROUND, ROUND.slice(0, 1), 0)).toBe(false);
  expect(isHintValid(ROUND, [ROUND[0]!, step(0, "d4r3"), ...ROUND.slice(2)], 0)).toBe(false);
});
