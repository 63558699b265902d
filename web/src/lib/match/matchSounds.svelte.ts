/** The sounds of a match. */
import type { MatchState, StepState } from "$lib/api";
import { playSound, type Sound } from "$lib/sound/sound.svelte";

/** Return true if a seat at this screen is to move. */
const isLocalTurn = ({ to_move, my_seats }: MatchState) => to_move.some((seat) => my_seats.includes(seat));

/** Return the sounds for the changes between two states of a match. */
export function soundsBetween(before: MatchState, after: MatchState, stepSounds: (step: StepState) => readonly Sound[]): Sound[] {
  if (after.version === before.version) return [];
  const knownStepCount = before.steps.filter(({ player }) => player !== null).length;
  const newSteps = after.steps.filter(({ player }) => player !== null).slice(knownStepCount);
  const sounds = [...new Set(newSteps.flatMap(stepSounds))];
  if (after.phase === "over" && before.phase !== "over") return [...sounds, "end"];
  // A match with one seat needs no signal for the player's turn.
  if (after.seats.length > 1 && isLocalTurn(after) && !isLocalTurn(before)) return [...sounds, "turn"];
  return sounds;
}

/** Play the sounds of a match until the component is destroyed. */
export function playMatchSounds(state: () => MatchState | null, stepSounds: (step: StepState) => readonly Sound[]): void {
  let before: MatchState | null = null;
  $effect(() => {
    const now = state();
    if (now && before) soundsBetween(before, now, stepSounds).forEach(playSound);
    before = now;
  });
}
