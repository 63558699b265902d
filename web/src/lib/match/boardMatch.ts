/** What a table needs of whatever it is played on: a match on the server, or a position to learn something in. */
import type { Connection } from "./liveMatch.svelte";

export interface BoardMatch {
  readonly connection: Connection;
  /** Whether a turn is on its way. */
  readonly sending: boolean;
  /** A turn to be shown on the board; the table takes it and sets it to null. */
  suggestion: { seat: number; turn: string } | null;
  play(seat: number, turn: string): Promise<void>;
  /** What a turn, or its first part, would lead to. */
  preview<T>(seat: number, turn: string): Promise<T>;
  /** How the last turn of whoever sits here is taken back; nothing where none ever is. */
  readonly takeBack?: TakeBack | null;
  /** Who watches over a lesson. */
  readonly coach?: Coach;
}

export interface TakeBack {
  /** Whether there is a turn to take back. */
  ready: boolean;
  run(): Promise<void>;
}

export interface Coach {
  /** Whether what was done of a turn so far leads astray and is to be taken back. */
  objects(part: string): boolean;
  /** Something was tried that is not offered. */
  refuses(tried: string): void;
}
