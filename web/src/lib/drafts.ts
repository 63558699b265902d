/** Turns half made, kept by this tab until they are ended: a reload or a lost connection forgets none. */
import type { MatchState } from "./api";

interface Kept {
  turn: number;
  draft: unknown;
}

const store = (match: MatchState, seat: number) => `limina.draft.${match.match}.${seat}`;
const numberOf = (match: MatchState, seat: number) => match.seats[seat]?.turns ?? 0;

/** Keep what a seat has done of its turn so far; null if nothing. */
export function keepDraft(match: MatchState, seat: number, draft: unknown): void {
  try {
    const kept: Kept = { turn: numberOf(match, seat), draft };
    if (draft === null) sessionStorage.removeItem(store(match, seat));
    else sessionStorage.setItem(store(match, seat), JSON.stringify(kept));
  } catch {
    // A browser that keeps nothing plays all the same.
  }
}

/** What was kept of this very turn; whether it can still be played, the game has to say. */
export function keptDraft(match: MatchState, seat: number): unknown {
  try {
    const kept = JSON.parse(sessionStorage.getItem(store(match, seat)) ?? "null") as Kept | null;
    return kept?.turn === numberOf(match, seat) ? kept.draft : null;
  } catch {
    return null;
  }
}
