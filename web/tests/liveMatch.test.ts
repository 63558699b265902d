import { expect, test } from "vitest";
import type { MatchState, UpdateMessage } from "../src/lib/api";
import { applyUpdate } from "../src/lib/match/liveMatch.svelte";

const STATE = {
  match: "some-match",
  version: 3,
  mine: [0, 1],
  to_move: [0, 1],
  seats: [{ turns: 0 }, { turns: 0 }, { turns: 0 }],
  steps: [{ player: null, text: "1" }],
  legal: { 0: "first", 1: "second" },
} as unknown as MatchState;

function update(told: object): MatchState {
  const message = { type: "update", version: 4, to_move: [0, 1], turns: [0, 0, 0], first: 1, steps: [], legal: {}, ...told };
  return applyUpdate(STATE, message as unknown as UpdateMessage);
}

test("an update replaces what it says, and everything else stays", () => {
  const played = { player: 2, text: "d4r0" };
  const state = update({ turns: [0, 0, 1], to_move: [0, 1], steps: [played] });
  expect(state).toEqual({
    ...STATE,
    version: 4,
    seats: [{ turns: 0 }, { turns: 0 }, { turns: 1 }],
    steps: [...STATE.steps, played],
  });
});

test("seats that may still move keep their legal turns, the very same, unless others were sent", () => {
  expect(update({ turns: [0, 0, 1] }).legal[0]).toBe(STATE.legal[0]);
  expect(update({ to_move: [1], turns: [1, 0, 0] }).legal).toEqual({ 1: "second" });
  expect(update({ turns: [1, 1, 1], legal: { 0: "new" } }).legal).toEqual({ 0: "new", 1: "second" });
  expect(update({ to_move: [], turns: [1, 1, 1] }).legal).toEqual({});
});

test("steps that were hidden come in where they belong", () => {
  const round = [
    { player: 1, text: "b" },
    { player: 0, text: "a" },
  ];
  expect(update({ first: 0, steps: round }).steps).toEqual(round);
});
