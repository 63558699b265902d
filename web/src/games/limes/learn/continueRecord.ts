/** Turns of the tutorial and of rule examples: add them to a record and rate them. */
import type { GameRecord } from "$lib/learn/sandbox.svelte";
import type { LimesLegal } from "../types";

/** Return the record with one more turn of a player. If `cards` has another card, it is drawn next. */
export function appendTurn(record: GameRecord, turn: string, player = 0, cards: readonly number[] = []): GameRecord {
  const [draws, turns] = [record.draws as number[], record.turns as (string | null)[][]];
  const round = turns[draws.length - 1] ?? record.players.map(() => null);
  return {
    ...record,
    draws: [...draws, ...cards.slice(draws.length, draws.length + 1)],
    turns: [...turns.slice(0, draws.length - 1), round.map((other, seat) => (seat === player ? turn : other))],
  };
}

export interface TurnRating {
  /** Points that the turn scored. */
  gain: number;
  /** The total after the turn. */
  total: number;
  /** The turn with the most points and its lead over the played turn; null if no turn scores more. */
  better: { turn: string; more: number } | null;
}

/** Compare a turn with the turn that scores the most points immediately. */
export function rateTurn({ turns }: LimesLegal, played: string, totalBefore: number): TurnRating {
  let total = totalBefore;
  let best = { turn: "", total: -1 };
  for (const [placement, actions] of Object.entries(turns)) {
    for (const [action, totalAfter] of Object.entries(actions)) {
      const turn = action ? `${placement} ${action}` : placement;
      if (turn === played) total = totalAfter;
      if (totalAfter > best.total) best = { turn, total: totalAfter };
    }
  }
  const more = best.total - total;
  return { gain: total - totalBefore, total, better: more > 0 ? { turn: best.turn, more } : null };
}
