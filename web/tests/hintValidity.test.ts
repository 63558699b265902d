import { expect, test } from "vitest";
import type { StepState } from "../src/lib/api";
import { isHintValid } from "../src/lib/review/hintValidity";

const step = (player: number | null, text: string) => ({ player, text }) as StepState;
const DRAWN = [step(null, "5"), step(0, "d4r0"), step(1, "d4r1"), step(null, "7")];

test("a hint holds while others play their turns of the same round, and no longer", () => {
  expect(isHintValid(DRAWN, DRAWN, 0)).toBe(true);
  expect(isHintValid(DRAWN, [...DRAWN, step(1, "e4r0")], 0)).toBe(true);
  expect(isHintValid(DRAWN, [...DRAWN, step(1, "e4r0"), step(0, "e4r2")], 0)).toBe(false);
  expect(isHintValid(DRAWN, [...DRAWN, step(1, "e4r0"), step(null, "9")], 0)).toBe(false);
});

test("a hint does not hold for another game that has come as far, after turns were taken back", () => {
  expect(isHintValid(DRAWN, DRAWN.slice(0, 1), 0)).toBe(false);
  expect(isHintValid(DRAWN, [DRAWN[0]!, step(0, "d4r3"), ...DRAWN.slice(2)], 0)).toBe(false);
});
