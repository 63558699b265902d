/** A turn of a finished game that somebody would like to play better: the position before it, and what is said of what they try. */
import { ask, type MatchState, type ViewAnswer, type ViewRequest, type WorthAnswer } from "$lib/api";
import type { TableMatch } from "$lib/match/boardMatch";
import type { ReviewedTurn, Unit } from "$lib/review/reviewStream";
import { givesAway } from "$lib/review/text";
import { tableState } from "./lessonMatch.svelte";

export interface Verdict {
  how: "best" | "good" | "less" | "worse" | "played" | "weighing" | "unknown";
  /** How much is given away, where that is known. */
  lost: number;
}

/** What the review says of a turn that leads to the same as these ones; null if it says nothing. */
export function judged(alike: readonly string[], turn: ReviewedTurn, unit: Unit): Verdict | null {
  if (alike.includes(turn.best)) return { how: "best", lost: 0 };
  if (alike.includes(turn.played)) return { how: "played", lost: turn.lost };
  const found = turn.candidates.find((candidate) => alike.includes(candidate.turn));
  return found ? weighed(found.value, turn, unit) : null;
}

/** What is to be said of a turn that is worth so much. */
export function weighed(value: number, turn: ReviewedTurn, unit: Unit): Verdict {
  const lost = turn.before - value;
  if (!givesAway({ lost }, unit)) return { how: "good", lost };
  return { how: lost < turn.lost ? "less" : "worse", lost };
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
      const verdict = judged(alike, this.turn, this.unit);
      this.verdict = verdict ?? { how: "weighing", lost: 0 };
      if (!verdict) void this.#weigh(turn, this.verdict);
    } finally {
      this.sending = false;
    }
  }

  /** Have a turn looked at that the review knows nothing of; meanwhile others can be tried. */
  async #weigh(turn: string, waiting: Verdict): Promise<void> {
    const { step: steps, player } = this.turn;
    const verdict = await ask<WorthAnswer>("/worth", { body: { record: this.record, steps, player, turn } }).then(
      ({ value }) => weighed(value, this.turn, this.unit),
      (): Verdict => ({ how: "unknown", lost: 0 }),
    );
    if (this.verdict === waiting) this.verdict = verdict;
  }

  async preview<T>(_: number, turn: string): Promise<T> {
    return (await this.#ask({ turn })).preview as T;
  }
}
