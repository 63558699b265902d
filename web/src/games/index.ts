/** The one table of the page: what each game brings. Everything else asks here and names no game. */
import type { Component } from "svelte";
import type { GameInfo, MatchState, Replay } from "$lib/api";
import type { LiveMatch } from "$lib/live.svelte";

export interface TableProps {
  live: LiveMatch;
  state: MatchState;
}

export interface ReplayProps {
  replay: Replay;
  /** The frame to show. */
  at: number;
}

export interface GameUi {
  /** The table where it is played: board, card, actions. Shell and seats are around it. */
  table: () => Promise<{ default: Component<TableProps> }>;
  /** One moment of a replay, all players. */
  replay?: () => Promise<{ default: Component<ReplayProps> }>;
  /** The page of rules. */
  rules?: () => Promise<{ default: Component }>;
  /** Something to look at on the start page. */
  picture?: () => Promise<{ default: Component }>;
  /** One number for each seat, shown beside the name: a total, the pawns left. */
  scores: (state: MatchState) => number[];
  /** What the outcome means, in the language of the page. */
  outcome: (state: MatchState) => string;
  /** Colour and mark of a seat, as its pieces have them. */
  seat: (seat: number) => { colour: string; sign: string };
}

import { limes } from "./limes";
import { limit } from "./limit";

const GAMES: Record<string, GameUi> = { limes, limit };

/** In the order they are offered. */
export const GAME_NAMES: readonly string[] = Object.keys(GAMES);

export function gameUi(game: GameInfo["name"]): GameUi | undefined {
  return GAMES[game];
}
