/** A turn of a finished game that somebody would like to play better: the position before it, and what is said of what they try. */
import { ask, type MatchState, type ViewAnswer, type ViewRequest } from "../api";
import type { TableMatch } from "../match/table";
import type { ReviewedTurn, Unit } from "../review/stream";
import { givesAway } from "../review/words";
import { tableState } from "./lesson.svelte";

export interface Verdict {
  how: "best" | "good" | "less" | "played" | "unknown";
  /** How much is given away, where that is known. */
  lost: number;
}

/** What is known of a turn that leads to the same as these ones. */
export function judged(alike: readonly string[], turn: ReviewedTurn, unit: Unit): Verdict {
  if (alike.includes(turn.best)) return { how: "best", lost: 0 };
  if (alike.includes(turn.played)) return { how: "played", lost: turn.lost };
  const found = turn.candidates.find((candidate) => alike.includes(candidate.turn));
  if (!found) return { how: "unknown", lost: 0 };
  const lost = turn.before - found.value;
  return { how: givesAway({ lost }, unit) ? "less" : "good", lost };
}

export class Attempt implements TableMatch {
  readonly connection = "live";
  sending = $state(false);
  suggestion = $state.raw<{ seat: number; turn: string } | null>(null);
  state = $state.raw<MatchState | null>(null);
  verdict = $state.raw<Verdict | null>(null);

  constructor(
    readonly record: unknown,
    readonly turn: ReviewedTurn,
    readonly unit: Unit,
  ) {}

  #ask(more: Partial<ViewRequest> = {}): Promise<ViewAnswer> {
    const { step: steps, player } = this.turn;
    return ask<ViewAnswer>("/view", { body: { record: this.record, steps, player, ...more } });
  }

  /** Throws `ApiError` where the server is away. */
  async open(): Promise<void> {
    const { game, names, view, legal } = await this.#ask();
    this.state = tableState(game, { players: names.length, player: this.turn.player, view, legal });
  }

  async play(_: number, turn: string): Promise<void> {
    this.sending = true;
    try {
      const known = [this.turn.best, this.turn.played, ...this.turn.candidates.map((candidate) => candidate.turn)];
      const { alike } = await this.#ask({ turn, alike: [...new Set(known)] });
      this.verdict = judged(alike, this.turn, this.unit);
    } finally {
      this.sending = false;
    }
  }

  async preview<T>(_: number, turn: string): Promise<T> {
    return (await this.#ask({ turn })).preview as T;
  }
}
