/** A game without a match: the server computes the position of its record after each turn and stores nothing. */
import { requestJson, type MatchState, type PositionResponse } from "$lib/api";
import type { BoardMatch } from "$lib/match/boardMatch";
import { boardMatchState } from "./lessonMatch.svelte";

/** A record as a JSON object. The other fields depend on the game. */
export interface GameRecord {
  game: string;
  players: string[];
  [field: string]: unknown;
}

interface SandboxOptions {
  /** Return the record after one more turn. */
  appendTurn: (record: GameRecord, turn: string, player: number) => GameRecord;
  /** The sandbox is over after so many turns, if the game has not ended before. */
  maxTurns: number;
  /** Change the position before it is shown. */
  adaptView?: (view: MatchState["view"]) => MatchState["view"];
}

export class Sandbox implements BoardMatch {
  readonly connection = "live";
  sending = $state(false);
  suggestion = $state.raw<{ seat: number; turn: string } | null>(null);
  state = $state.raw<MatchState | null>(null);
  /** The number of turns played. */
  turns = $state(0);
  over = $state(false);
  #record: GameRecord;

  constructor(
    record: GameRecord,
    readonly player: number,
    readonly options: SandboxOptions,
  ) {
    this.#record = record;
  }

  /** Show the start position. Throws `ApiError` if the server cannot be reached. */
  open(): Promise<void> {
    return this.#show(this.#record, 0);
  }

  async play(_: number, turn: string): Promise<void> {
    this.sending = true;
    try {
      await this.#show(this.options.appendTurn(this.#record, turn, this.player), this.turns + 1, turn);
    } finally {
      this.sending = false;
    }
  }

  async preview<T>(_: number, turn: string): Promise<T> {
    const { preview } = await requestJson<PositionResponse>("/position", {
      body: { record: this.#record, player: this.player, turn },
    });
    return preview as T;
  }

  async #show(record: GameRecord, turns: number, last = ""): Promise<void> {
    const answer = await requestJson<PositionResponse>("/position", { body: { record, player: this.player } });
    this.#record = record;
    this.turns = turns;
    this.over = turns >= this.options.maxTurns || answer.outcome !== null;
    const setup = {
      players: record.players.length,
      player: this.player,
      view: this.options.adaptView?.(answer.view) ?? answer.view,
      legal: this.over ? null : answer.legal,
    };
    this.state = boardMatchState(record.game, setup, turns, answer.outcome !== null, last);
  }
}
