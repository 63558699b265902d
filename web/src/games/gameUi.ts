/** What a game brings to the page. Everything else asks for it and names no game. */
import type { Component, Snippet } from "svelte";
import type { GameInfo, MatchState, OptionInfo, Replay, StepState } from "$lib/api";
import type { GameRecord } from "$lib/learn/sandbox.svelte";
import type { BoardMatch } from "$lib/match/boardMatch";
import type { SeatMark } from "$lib/i18n/playerNames";
import type { Sound } from "$lib/sound/sound.svelte";

export interface MatchViewProps {
  live: BoardMatch;
  state: MatchState;
}

export interface ReplayViewProps {
  replay: Replay;
  /** The frame to show. */
  at: number;
  /** Whose display is shown; everybody's if null. */
  player: number | null;
  /** A turn to be shown beside a better one, in place of the frame. */
  compare?: Comparison | null;
}

export interface Comparison {
  player: number;
  /** The frame before the turn; the next one is what was played. */
  before: number;
  played: string;
  better: string;
  /** What the better turn leads to, in the game's own words; null until the server has said it. */
  preview: unknown;
  /** Places of the board that are spoken of. */
  places: ReadonlySet<string>;
}

/** Where a turn is played. */
export interface TurnContext {
  player: number;
  /** What was seen up to the turn, oldest first: a later view may leave out what has not changed. */
  views: readonly unknown[];
  /** The points that it brings at once, where they are known. */
  gain?: number | undefined;
}

export interface ExampleProps {
  /** What an example of the rules shows, as `tools/generators/rule_examples.py` writes it. */
  shown: { id: string };
  caption: string;
}

export interface FinaleProps {
  /** Its words. */
  text: Record<string, string>;
  /** Where in the tutorial this is, in words. */
  count: string;
  /** The way out of the tutorial. */
  leave: Snippet;
  /** Back to the last lesson. */
  back: () => void;
  /** Called when there is nothing left to learn. */
  done: () => void;
}

export interface DecksProps {
  /** The game by its name, for what is kept and sent. */
  game: string;
  /** The faces of a deck that somebody has shared, if it is about one; as its game has found them sound. */
  shared: readonly string[] | null;
}

export interface OptionEditorProps {
  /** The game by its name, for what is kept of it. */
  game: string;
  title: string;
  help: string;
  /** What was chosen before. */
  value: readonly unknown[] | null;
  /** Called with what is to be sent; null for what the game would take by itself. */
  onchange: (value: readonly unknown[] | null) => void;
}

export interface CompanionProps {
  game: GameInfo;
  /** What can be chosen before a game begins: what was chosen, and what is called with every change. */
  options: Snippet<[Readonly<Record<string, unknown>>, (values: Record<string, unknown>) => void]>;
}

type LazyComponent<Props extends object> = () => Promise<{ default: Component<Props> }>;

export interface GameUi {
  /** The game in a sentence. */
  summary: (game: GameInfo) => string;
  /** Who made it up, and what one does in it, for the start page. */
  pitch?: { author: string; text: () => string };
  /** What an option is called, and what it does. */
  option: (option: OptionInfo) => { title: string; help: string };
  /** Editors of options that are lists. A list without one is not offered. */
  optionEditors?: Readonly<Record<string, LazyComponent<OptionEditorProps>>>;
  /** The page on which decks of cards are made, changed and kept. */
  decks?: LazyComponent<DecksProps>;
  /** The table where it is played: board, card, actions. Shell and seats are around it. */
  matchView: LazyComponent<MatchViewProps>;
  /** One moment of a replay, all players or one of them. */
  replayView: LazyComponent<ReplayViewProps>;
  /** Whether each player has a display of their own, so that one can be shown alone. */
  hasDisplays?: boolean;
  /** An example of the rules, drawn. */
  example?: LazyComponent<ExampleProps>;
  /** What follows the lessons of its tutorial. */
  finale?: LazyComponent<FinaleProps>;
  /** A companion for whoever plays with real cards or tiles. */
  companion?: LazyComponent<CompanionProps>;
  /** What is worth what, at a glance, beside the table. */
  legend?: LazyComponent<Record<string, never>>;
  /** A little board for the start page, on which something happens now and then. */
  slideshow?: LazyComponent<Record<string, never>>;
  /** How a match of it is told: whoever shows one needs it. */
  matchUi: () => Promise<{ default: MatchUi }>;
}

/** How a match is told: its numbers, its words, its sounds. */
export interface MatchUi {
  /** One number for each seat, shown beside the name: a total, the pawns left. */
  scores: (state: MatchState) => number[];
  /** What the outcome means, in the language of the page. */
  outcomeText: (state: MatchState) => string;
  /** A turn of the notation in words, and the same in a few of them for a list. */
  turnText: (turn: string, context: TurnContext) => string;
  shortTurnText: (turn: string, context: TurnContext) => string;
  /** A place of the board in words, where the notation's name for it says little. */
  locationText?: (place: string) => string;
  /** A record after one more turn of a player, for whoever tries out an example of the rules. */
  appendTurn?: (record: GameRecord, turn: string, player: number) => GameRecord;
  /** What a player's step sounds like. */
  stepSounds?: (step: StepState) => readonly Sound[];
  /** Color and mark of a seat, as its pieces have them. */
  seatMark: (seat: number) => SeatMark;
}
