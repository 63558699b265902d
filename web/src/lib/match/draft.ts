/** Turns in the making. Their steps are stored by this tab until they are ended: a reload or a lost connection loses none. */
import type { MatchState } from "$lib/api";

/** What every game's turn in the making can do. */
export interface Draft {
  /** The whole turn as it is written, once it may be ended; null before. */
  readonly turn: string | null;
  readonly canUndo: boolean;
  /** What was done of it so far, as it is written, where that can be judged on its own; null or nothing if not. */
  readonly part?: string | null;
  /** All steps so far, for storing; null if there are none. */
  readonly snapshot: unknown;
  undo(): void;
  /** Do what a whole turn says, as far as it is allowed here; every step of it can be undone. */
  follow(turn: string): unknown;
  /** Take up what was stored, as far as it is allowed here. */
  restore(snapshot: unknown): unknown;
}

interface StoredDraft {
  turn: number;
  draft: unknown;
}

const storageKey = (match: MatchState, seat: number) => `limina.draft.${match.match_id}.${seat}`;
const turnIndexOf = (match: MatchState, seat: number) => match.seats[seat]?.turn_count ?? 0;

/** Store what a seat has done of its turn so far; null if nothing. */
export function saveDraft(match: MatchState, seat: number, draft: unknown): void {
  try {
    if (!match.match_id) return;
    const stored: StoredDraft = { turn: turnIndexOf(match, seat), draft };
    if (draft === null) sessionStorage.removeItem(storageKey(match, seat));
    else sessionStorage.setItem(storageKey(match, seat), JSON.stringify(stored));
  } catch {
    // A browser that stores nothing plays all the same.
  }
}

/** What was stored of this very turn; whether it can still be played, the game has to say. */
export function loadDraft(match: MatchState, seat: number): unknown {
  try {
    const stored = JSON.parse(sessionStorage.getItem(storageKey(match, seat)) ?? "null") as StoredDraft | null;
    return stored?.turn === turnIndexOf(match, seat) ? stored.draft : null;
  } catch {
    return null;
  }
}
