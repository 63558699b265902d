/** A game that is only tried out: the server says where its record stands, turn by turn, and keeps nothing. */
import { requestJson, type MatchState, type PositionResponse } from "$lib/api";
import type { BoardMatch } from "$lib/match/boardMatch";
import { boardMatchState } from "./lessonMatch.svelte";

/** A record's JSON object; what else is in it is the game's own. */
export interface GameRecord {
  game: string;
  players: string[];
  [own: string]: unknown;
}

interface Rules {
  /** The record after one more turn. */
  appendTurn: (record: GameRecord, turn: string, player: number) => GameRecord;
  /** After how many turns it is over, if not before. */
  most: number;
  /** What else is to be changed about what is shown. */
  shown?: (view: MatchState["view"]) => MatchState["view"];
}

export class Sandbox implements BoardMatch {
  readonly connection = "live";
  sending = $state(false);
  suggestion = $state.raw<{ seat: number; turn: string } | null>(null);
  state = $state.raw<MatchState | null>(null);
  /** How many turns were played. */
  turns = $state(0);
  over = $state(false);
  #record: GameRecord;

  constructor(
    record: GameRecord,
    readonly player: number,
    readonly rules: Rules,
  ) {
    this.#record = record;
  }

  /** Throws `ApiError` where the server is away. */
  open(): Promise<void> {
    return this.#show(this.#record, 0);
  }

  async play(_: number, turn: string): Promise<void> {
    this.sending = true;
    try {
      await this.#show(this.rules.appendTurn(this.#record, turn, this.player), this.turns + 1, turn);
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
    const found = await requestJson<PositionResponse>("/position", { body: { record, player: this.player } });
    this.#record = record;
    this.turns = turns;
    this.over = turns >= this.rules.most || found.outcome !== null;
    const shown = {
      players: record.players.length,
      player: this.player,
      view: this.rules.shown?.(found.view) ?? found.view,
      legal: this.over ? null : found.legal,
    };
    this.state = boardMatchState(record.game, shown, turns, found.outcome !== null, last);
  }
}
