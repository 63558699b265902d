/** Turns that are only tried out: what they lead to, and what they are worth beside others. */
import type { GameRecord } from "$lib/learn/sandbox.svelte";
import type { LimesLegal } from "../types";

/** A record after one more turn of a player; then the next of the cards is drawn, if there is one. */
export function appendTurn(record: GameRecord, turn: string, player = 0, cards: readonly number[] = []): GameRecord {
  const [draws, turns] = [record.draws as number[], record.turns as (string | null)[][]];
  const round = turns[draws.length - 1] ?? record.players.map(() => null);
  return {
    ...record,
    draws: [...draws, ...cards.slice(draws.length, draws.length + 1)],
    turns: [...turns.slice(0, draws.length - 1), round.map((other, seat) => (seat === player ? turn : other))],
  };
}

export interface Verdict {
  /** What the turn brought. */
  gain: number;
  /** The total after it. */
  total: number;
  /** A turn that would have brought more, and how much. */
  better: { turn: string; more: number } | null;
}

/** What a turn brings, beside the one that brings the most points now. */
export function verdict({ turns }: LimesLegal, played: string, before: number): Verdict {
  let total = before;
  let best = { turn: "", total: -1 };
  for (const [laid, actions] of Object.entries(turns)) {
    for (const [action, reached] of Object.entries(actions)) {
      const turn = action ? `${laid} ${action}` : laid;
      if (turn === played) total = reached;
      if (reached > best.total) best = { turn, total: reached };
    }
  }
  const more = best.total - total;
  return { gain: total - before, total, better: more > 0 ? { turn: best.turn, more } : null };
}
