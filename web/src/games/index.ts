/** The one table of the page: what each game brings. Everything else asks here and names no game. */
import type { Component } from "svelte";
import type { GameInfo, MatchState, Replay } from "$lib/api";
import type { LiveMatch } from "$lib/match/live.svelte";

export interface TableProps {
  live: LiveMatch;
  state: MatchState;
}

export interface ReplayProps {
  replay: Replay;
  /** The frame to show. */
  at: number;
  /** Whose display is shown; everybody's if null. */
  player: number | null;
}

export interface ExampleProps {
  /** What an example of the rules shows, as `tools/examples.py` writes it. */
  shown: { id: string };
  caption: string;
}

export interface GameUi {
  /** The table where it is played: board, card, actions. Shell and seats are around it. */
  table: () => Promise<{ default: Component<TableProps> }>;
  /** One moment of a replay, all players or one of them. */
  replay?: () => Promise<{ default: Component<ReplayProps> }>;
  /** Whether each player has a display of their own, so that one can be shown alone. */
  displays?: boolean;
  /** An example of the rules, drawn. */
  example?: () => Promise<{ default: Component<ExampleProps> }>;
  /** Something to look at on the start page. */
  picture?: () => Promise<{ default: Component }>;
  /** One number for each seat, shown beside the name: a total, the pawns left. */
  scores: (state: MatchState) => number[];
  /** What the outcome means, in the language of the page. */
  outcome: (state: MatchState) => string;
  /** A turn of the notation in words. */
  turnWords: (turn: string) => string;
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
