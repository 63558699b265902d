/** A lesson at a table: the position and all that is said of it came in one answer, so that no server is asked while one tries. */
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
  /** Whether the goal was reached. */
  reached = $state(false);
  /** Why what was tried last does not lead there. */
  why = $state.raw<LessonFeedback | null>(null);

  /** What was judged last. */
  #tried = "";

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
    const found = this.lesson.previews[turn];
    return found ? Promise.resolve(found as T) : Promise.reject(new ApiError("illegal"));
  }

  objects(part: string): boolean {
    const { good, wrong, wrong_prefixes: wrongPrefixes, accepts_partial: acceptsPartial } = this.lesson;
    if (this.reached) return false;
    if (good.includes(part)) {
      if (acceptsPartial) this.#judge(part);
      else this.why = null;
      return false;
    }
    const why = wrongPrefixes[part] ?? (good.some((turn) => turn.startsWith(`${part} `)) ? undefined : wrong[part]);
    // What was taken back was taken back for a reason, which is still to be read.
    if (why || !this.#tried.startsWith(part)) this.why = why ?? null;
    this.#tried = part;
    return why !== undefined;
  }

  refuses(tried: string): void {
    if (!this.reached) this.why = this.lesson.refused[tried] ?? this.why;
  }

  #judge(turn: string, why?: LessonFeedback): void {
    this.reached = this.lesson.good.includes(turn);
    this.why = this.reached ? null : (why ?? null);
  }
}

/** What a table is told of. */
export interface BoardMatchSetup {
  players: number;
  /** Who plays at this screen. */
  player: number;
  view: MatchState["view"];
  /** What they may do; null if it is not their turn. */
  legal: MatchState["legal"][number] | null;
}

/** A match that no server knows, as a table is told of one; `last` is the turn that was played last, if it was at this screen. */
export function boardMatchState(
  game: string,
  { players, player, view, legal }: BoardMatchSetup,
  turns = 0,
  over = false,
  last = "",
): MatchState {
  const mover = last ? player : (player + players - 1) % players;
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
    steps: players > 1 ? [{ player: mover, text: last }] : [],
    view,
    outcome: null,
    legal: legal === null ? {} : { [player]: legal },
  };
}
