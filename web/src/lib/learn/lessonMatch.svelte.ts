/** A lesson on the board of its game. The lesson contains its position, previews and feedback, so it needs no further requests. */
import { ApiError, type MatchState, type Schemas } from "$lib/api";
import { t } from "$lib/i18n/messages.svelte";
import type { Coach, BoardMatch } from "$lib/match/boardMatch";

export type Lesson = Schemas["LessonState"];
export type LessonFeedback = Schemas["Feedback"];

export class LessonMatch implements BoardMatch, Coach {
  readonly connection = "live";
  readonly sending = false;
  readonly coach = this;
  suggestion = null;
  readonly state: MatchState;
  /** True once the goal of the lesson is reached. */
  reached = $state(false);
  /** The feedback on the last attempt, if it does not reach the goal. */
  feedback = $state.raw<LessonFeedback | null>(null);

  /** The partial turn that was checked last. */
  #lastPart = "";

  constructor(
    game: string,
    readonly lesson: Lesson,
  ) {
    this.state = boardMatchState(game, lesson);
  }

  play(_: number, turn: string): Promise<void> {
    if (!this.reached) this.#judge(turn, this.lesson.wrong[turn]);
    return Promise.resolve();
  }

  preview<T>(_: number, turn: string): Promise<T> {
    const preview = this.lesson.previews[turn];
    return preview ? Promise.resolve(preview as T) : Promise.reject(new ApiError("illegal"));
  }

  rejects(part: string): boolean {
    const { good, wrong, wrong_prefixes: wrongPrefixes, accepts_partial: acceptsPartial } = this.lesson;
    if (this.reached) return false;
    if (good.includes(part)) {
      if (acceptsPartial) this.#judge(part);
      else this.feedback = null;
      return false;
    }
    const feedback = wrongPrefixes[part] ?? (good.some((turn) => turn.startsWith(`${part} `)) ? undefined : wrong[part]);
    // After an undo the feedback that caused it stays visible.
    if (feedback || !this.#lastPart.startsWith(part)) this.feedback = feedback ?? null;
    this.#lastPart = part;
    return feedback !== undefined;
  }

  explainIllegal(attempt: string): void {
    if (!this.reached) this.feedback = this.lesson.refused[attempt] ?? this.feedback;
  }

  #judge(turn: string, feedback?: LessonFeedback): void {
    this.reached = this.lesson.good.includes(turn);
    this.feedback = this.reached ? null : (feedback ?? null);
  }
}

/** The position of a match without a server, for its board. */
export interface BoardMatchSetup {
  players: number;
  /** The player at this screen. */
  player: number;
  view: MatchState["view"];
  /** Their legal turns; null if it is not their turn. */
  legal: MatchState["legal"][number] | null;
}

/** Return the state of a match without a server. `lastTurn` is the last turn, if the player at this screen played it. */
export function boardMatchState(
  game: string,
  { players, player, view, legal }: BoardMatchSetup,
  turns = 0,
  over = false,
  lastTurn = "",
): MatchState {
  const lastPlayer = lastTurn ? player : (player + players - 1) % players;
  return {
    match_id: "",
    game,
    version: turns,
    phase: over ? "over" : "playing",
    options: {},
    hidden_turns: false,
    allow_spectators: true,
    seats: Array.from({ length: players }, (_, i) => ({
      kind: "person",
      name: i === player ? t("seat.you") : t("learn.opponent"),
      bot: null,
      turn_count: turns,
      failed_bot: null,
    })),
    my_seats: [player],
    to_move: over || legal === null ? [] : [player],
    commitment: null,
    reveal: null,
    rematch_id: null,
    created_at: 0,
    steps: players > 1 ? [{ player: lastPlayer, text: lastTurn }] : [],
    view,
    outcome: null,
    legal: legal === null ? {} : { [player]: legal },
  };
}
