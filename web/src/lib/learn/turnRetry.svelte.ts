/** A mistake of a reviewed game that the player retries: the position before it, and verdicts on the turns that they try. */
import { requestJson, type MatchState, type PositionResponse, type PositionRequest, type EvaluateResponse } from "$lib/api";
import type { BoardMatch } from "$lib/match/boardMatch";
import type { ReviewedTurn, ValueUnit } from "$lib/review/reviewStream";
import { isCostly } from "$lib/review/text";
import { boardMatchState } from "./lessonMatch.svelte";

export interface Verdict {
  /** `less` and `worse` compare the loss with that of the played turn. */
  kind: "best" | "good" | "less" | "worse" | "played" | "evaluating" | "unknown";
  /** The loss against the best turn; 0 if it is unknown. */
  lost: number;
}

/** Return the verdict on a turn that is equivalent to these turns; null if the review contains none of them. */
export function rateKnownTurn(equivalentTurns: readonly string[], turn: ReviewedTurn, unit: ValueUnit): Verdict | null {
  if (equivalentTurns.includes(turn.best)) return { kind: "best", lost: 0 };
  if (equivalentTurns.includes(turn.played)) return { kind: "played", lost: turn.lost };
  const known = turn.candidates.find((candidate) => equivalentTurns.includes(candidate.turn));
  return known ? rateByValue(known.value, turn, unit) : null;
}

/** Return the verdict on a turn with this evaluation. */
export function rateByValue(value: number, turn: ReviewedTurn, unit: ValueUnit): Verdict {
  const lost = turn.before - value;
  if (!isCostly({ lost }, unit)) return { kind: "good", lost };
  return { kind: lost < turn.lost ? "less" : "worse", lost };
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

  #requestView(more: Partial<PositionRequest> = {}): Promise<PositionResponse> {
    const { step: step_count, player } = this.turn;
    return requestJson<PositionResponse>("/position", { body: { record: this.record, step_count, player, ...more } });
  }

  /** Show the position. Throws `ApiError` if the server cannot be reached. */
  async open(): Promise<void> {
    const { game, names, view, legal } = await this.#requestView();
    this.state = boardMatchState(game, { players: names.length, player: this.turn.player, view, legal });
  }

  async play(_: number, turn: string): Promise<void> {
    this.sending = true;
    try {
      const known = [this.turn.best, this.turn.played, ...this.turn.candidates.map((candidate) => candidate.turn)];
      const { equivalent_turns } = await this.#requestView({ turn, compare_turns: [...new Set(known)] });
      const verdict = rateKnownTurn(equivalent_turns, this.turn, this.unit);
      this.verdict = verdict ?? { kind: "evaluating", lost: 0 };
      if (!verdict) void this.#evaluate(turn, this.verdict);
    } finally {
      this.sending = false;
    }
  }

  /** Let the server evaluate a turn that the review does not contain; the player can try others meanwhile. */
  async #evaluate(turn: string, pending: Verdict): Promise<void> {
    const { step: step_count, player } = this.turn;
    const verdict = await requestJson<EvaluateResponse>("/evaluate", {
      body: { record: this.record, step_count, player, turn },
    }).then(
      ({ value }) => rateByValue(value, this.turn, this.unit),
      (): Verdict => ({ kind: "unknown", lost: 0 }),
    );
    if (this.verdict === pending) this.verdict = verdict;
  }

  async preview<T>(_: number, turn: string): Promise<T> {
    return (await this.#requestView({ turn })).preview as T;
  }
}
