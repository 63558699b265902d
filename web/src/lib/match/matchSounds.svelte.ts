/** What happens at a table, for the ears of those who sit at it or watch. */
import type { MatchState, StepState } from "$lib/api";
import { play, type Sound } from "$lib/sound/sound.svelte";

/** Whether somebody at this screen is to move. */
const called = ({ to_move, mine }: MatchState) => to_move.some((seat) => mine.includes(seat));

/** The sounds between two states of a match. */
export function soundsBetween(before: MatchState, after: MatchState, ofStep: (step: StepState) => readonly Sound[]): Sound[] {
  if (after.version === before.version) return [];
  const known = before.steps.filter(({ player }) => player !== null).length;
  const fresh = after.steps.filter(({ player }) => player !== null).slice(known);
  const heard = [...new Set(fresh.flatMap(ofStep))];
  if (after.phase === "over" && before.phase !== "over") return [...heard, "end"];
  // Whoever plays alone knows that it is their turn.
  if (after.seats.length > 1 && called(after) && !called(before)) return [...heard, "turn"];
  return heard;
}

/** Follow a match as long as its page is there. */
export function followSounds(state: () => MatchState | null, ofStep: (step: StepState) => readonly Sound[]): void {
  let before: MatchState | null = null;
  $effect(() => {
    const now = state();
    if (now && before) soundsBetween(before, now, ofStep).forEach(play);
    before = now;
  });
}
