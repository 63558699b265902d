/** What happens at a table, for the ears of those who sit at it or watch. */
import type { MatchState, StepState } from "$lib/api";
import { playSound, type Sound } from "$lib/sound/sound.svelte";

/** Whether somebody at this screen is to move. */
const isOurTurn = ({ to_move, my_seats }: MatchState) => to_move.some((seat) => my_seats.includes(seat));

/** The sounds between two states of a match. */
export function soundsBetween(before: MatchState, after: MatchState, stepSounds: (step: StepState) => readonly Sound[]): Sound[] {
  if (after.version === before.version) return [];
  const numKnownSteps = before.steps.filter(({ player }) => player !== null).length;
  const newSteps = after.steps.filter(({ player }) => player !== null).slice(numKnownSteps);
  const sounds = [...new Set(newSteps.flatMap(stepSounds))];
  if (after.phase === "over" && before.phase !== "over") return [...sounds, "end"];
  // Whoever plays alone knows that it is their turn.
  if (after.seats.length > 1 && isOurTurn(after) && !isOurTurn(before)) return [...sounds, "turn"];
  return sounds;
}

/** Follow a match as long as its page is there. */
export function playMatchSounds(state: () => MatchState | null, stepSounds: (step: StepState) => readonly Sound[]): void {
  let before: MatchState | null = null;
  $effect(() => {
    const now = state();
    if (now && before) soundsBetween(before, now, stepSounds).forEach(playSound);
    before = now;
  });
}
