/** Drafts of turns. Session storage keeps their steps until the turn is ended, so that a reload or a lost connection loses none. */
import type { MatchState } from "$lib/api";

/** A turn that is being composed. Each game implements it. */
export interface Draft {
  /** The notation of the turn; null until it can be ended. */
  readonly turn: string | null;
  readonly canUndo: boolean;
  /** The notation of an incomplete turn, if a lesson can judge it; else null. */
  readonly partialTurn?: string | null;
  /** All steps so far as JSON for `restore`; null if there are none. */
  readonly snapshot: unknown;
  undo(): void;
  /** Take the steps of a complete turn, as far as they are legal. Each step can be undone. */
  applyTurn(turn: string): unknown;
  /** Take the steps of a snapshot, as far as they are legal. */
  restore(snapshot: unknown): unknown;
}

interface StoredDraft {
  /** The index of the turn. */
  turn: number;
  draft: unknown;
}

const storageKey = (match: MatchState, seat: number) => `limina.draft.${match.match_id}.${seat}`;
const turnIndexOf = (match: MatchState, seat: number) => match.seats[seat]?.turn_count ?? 0;

/** Store the draft of a seat; null removes it. */
export function saveDraft(match: MatchState, seat: number, snapshot: unknown): void {
  try {
    if (!match.match_id) return;
    const stored: StoredDraft = { turn: turnIndexOf(match, seat), draft: snapshot };
    if (snapshot === null) sessionStorage.removeItem(storageKey(match, seat));
    else sessionStorage.setItem(storageKey(match, seat), JSON.stringify(stored));
  } catch {
    // Without storage a reload loses the draft.
  }
}

/** Return the snapshot that was stored for the current turn of a seat, or null. The game checks that it is legal. */
export function loadDraft(match: MatchState, seat: number): unknown {
  try {
    const stored = JSON.parse(sessionStorage.getItem(storageKey(match, seat)) ?? "null") as StoredDraft | null;
    return stored?.turn === turnIndexOf(match, seat) ? stored.draft : null;
  } catch {
    return null;
  }
}
