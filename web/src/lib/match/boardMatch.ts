/** The interface between a board and its match: a match on the server, a lesson, a sandbox or a retried turn. */
import type { Connection } from "./liveMatch.svelte";

export interface BoardMatch {
  readonly connection: Connection;
  /** True while a turn is sent and not answered. */
  readonly sending: boolean;
  /** A turn to show on the board. The turn controller applies it to the draft and sets this to null. */
  suggestion: { seat: number; turn: string } | null;
  play(seat: number, turn: string): Promise<void>;
  /** Return the position after a turn or a part of one, as the game describes it. */
  preview<T>(seat: number, turn: string): Promise<T>;
  /** Takes back the last turn of the player at this screen; null if turns cannot be taken back. */
  readonly takeBack?: TakeBack | null;
  /** Gives feedback in a lesson. */
  readonly coach?: Coach;
}

export interface TakeBack {
  /** True if there is a turn to take back. */
  available: boolean;
  run(): Promise<void>;
}

export interface Coach {
  /** Return true if a partial turn cannot reach the goal of the lesson and has to be undone. */
  rejects(part: string): boolean;
  /** Give feedback on an illegal attempt. */
  explainIllegal(attempt: string): void;
}
