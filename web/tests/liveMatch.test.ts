import { expect, test } from "vitest";
import type { MatchState, UpdateMessage } from "../src/lib/api";
import { stateAfterUpdate } from "../src/lib/match/liveMatch.svelte";

const STATE = {
  match_id: "some-match",
  version: 3,
  my_seats: [0, 1],
  to_move: [0, 1],
  seats: [{ turn_count: 0 }, { turn_count: 0 }, { turn_count: 0 }],
  steps: [{ player: null, text: "1" }],
  legal: { 0: "first", 1: "second" },
} as unknown as MatchState;

function update(fields: object): MatchState {
  const message = {
    type: "update",
    version: 4,
    to_move: [0, 1],
    turn_counts: [0, 0, 0],
    unchanged_steps: 1,
    steps: [],
    legal: {},
    ...fields,
  };
  return stateAfterUpdate(STATE, message as unknown as UpdateMessage);
}

test("an update replaces its fields and keeps the others", () => {
  const played = { player: 2, text: "d4r0" };
  const state = update({ turn_counts: [0, 0, 1], to_move: [0, 1], steps: [played] });
  expect(state).toEqual({
    ...STATE,
    version: 4,
    seats: [{ turn_count: 0 }, { turn_count: 0 }, { turn_count: 1 }],
    steps: [...STATE.steps, played],
  });
});

test("seats that are to move keep their legal turns unless the update has new ones", () => {
  expect(update({ turn_counts: [0, 0, 1] }).legal[0]).toBe(STATE.legal[0]);
  expect(update({ to_move: [1], turn_counts: [1, 0, 0] }).legal).toEqual({ 1: "second" });
  expect(update({ turn_counts: [1, 1, 1], legal: { 0: "new" } }).legal).toEqual({ 0: "new", 1: "second" });
  expect(update({ to_move: [], turn_counts: [1, 1, 1] }).legal).toEqual({});
});

test("steps that were hidden are inserted at their place", () => {
  const round = [
    { player: 1, text: "b" },
    { player: 0, text: "a" },
  ];
  expect(update({ unchanged_steps: 0, steps: round }).steps).toEqual(round);
});
