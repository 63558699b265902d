/** A turn of a finished game that somebody would like to play better: the position before it, and what is said of what they try. */
import { requestJson, type MatchState, type PositionResponse, type PositionRequest, type EvaluateResponse } from "$lib/api";
import type { BoardMatch } from "$lib/match/boardMatch";
import type { ReviewedTurn, ValueUnit } from "$lib/review/reviewStream";
import { isCostly } from "$lib/review/text";
import { boardMatchState } from "./lessonMatch.svelte";

export interface Verdict {
  how: "best" | "good" | "less" | "worse" | "played" | "weighing" | "unknown";
  /** How much is given away, where that is known. */
  lost: number;
}

/** What the review says of a turn that leads to the same as these ones; null if it says nothing. */
export function rateKnownTurn(alike: readonly string[], turn: ReviewedTurn, unit: ValueUnit): Verdict | null {
  if (alike.includes(turn.best)) return { how: "best", lost: 0 };
  if (alike.includes(turn.played)) return { how: "played", lost: turn.lost };
  const found = turn.candidates.find((candidate) => alike.includes(candidate.turn));
  return found ? rateByValue(found.value, turn, unit) : null;
}

/** What is to be said of a turn that is worth so much. */
export function rateByValue(value: number, turn: ReviewedTurn, unit: ValueUnit): Verdict {
  const lost = turn.before - value;
  if (!isCostly({ lost }, unit)) return { how: "good", lost };
  return { how: lost < turn.lost ? "less" : "worse", lost };
}

export class TurnRetry implements BoardMatch {
  readonly connection = "live";
  sending = $state(false);
  suggestion = $state.raw<{ seat: number; turn: string } | null>(null);
  state = $state.raw<MatchState | null>(null);
  verdict = $state.raw<Verdict | null>(null);

  constructor(
    readonly record: unknown,
    readonly turn: ReviewedTurn,
    readonly unit: ValueUnit,
  ) {}

  #ask(more: Partial<PositionRequest> = {}): Promise<PositionResponse> {
    const { step: step_count, player } = this.turn;
    return requestJson<PositionResponse>("/position", { body: { record: this.record, step_count, player, ...more } });
  }

  /** Throws `ApiError` where the server is away. */
  async open(): Promise<void> {
    const { game, names, view, legal } = await this.#ask();
    this.state = boardMatchState(game, { players: names.length, player: this.turn.player, view, legal });
  }

  async play(_: number, turn: string): Promise<void> {
    this.sending = true;
    try {
      const known = [this.turn.best, this.turn.played, ...this.turn.candidates.map((candidate) => candidate.turn)];
      const { equivalent_turns } = await this.#ask({ turn, compare_turns: [...new Set(known)] });
      const verdict = rateKnownTurn(equivalent_turns, this.turn, this.unit);
      this.verdict = verdict ?? { how: "weighing", lost: 0 };
      if (!verdict) void this.#weigh(turn, this.verdict);
    } finally {
      this.sending = false;
    }
  }

  /** Have a turn looked at that the review knows nothing of; meanwhile others can be tried. */
  async #weigh(turn: string, waiting: Verdict): Promise<void> {
    const { step: step_count, player } = this.turn;
    const verdict = await requestJson<EvaluateResponse>("/evaluate", {
      body: { record: this.record, step_count, player, turn },
    }).then(
      ({ value }) => rateByValue(value, this.turn, this.unit),
      (): Verdict => ({ how: "unknown", lost: 0 }),
    );
    if (this.verdict === waiting) this.verdict = verdict;
  }

  async preview<T>(_: number, turn: string): Promise<T> {
    return (await this.#ask({ turn })).preview as T;
  }
}
