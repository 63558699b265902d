/** The interface between a game's folder and the rest of the page, which names no game. */
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
  /** Index of the frame to show. */
  frameIndex: number;
  /** The player whose display is shown; null for all players. */
  player: number | null;
  /** Two turns to show side by side, instead of the frame. */
  comparison?: Comparison | null;
}

/** A played turn and a better one from the same position. */
export interface Comparison {
  player: number;
  /** Index of the frame before the turn; the next frame shows the played turn. */
  frameIndex: number;
  played: string;
  better: string;
  /** The server's preview of the better turn; null until it has arrived. */
  preview: unknown;
  /** Locations of the board that the review's reasons mention. */
  locations: ReadonlySet<string>;
}

/** Who plays a turn, and the views of the game that lead up to it. */
export interface TurnContext {
  player: number;
  /** All views up to the turn, oldest first. A later view may omit what has not changed. */
  views: readonly unknown[];
  /** Points that the turn scores immediately, where they are known. */
  gain?: number | undefined;
}

export interface ExampleProps {
  /** A rule example, as `tools/generators/rule_examples.py` writes it. */
  example: { id: string };
  caption: string;
}

export interface FinaleProps {
  /** The finale's texts by their names in the tutorial file. */
  text: Record<string, string>;
  /** Title and progress of the tutorial, as text. */
  progress: string;
  /** A link that leaves the tutorial. */
  exitLink: Snippet;
  /** Called to return to the last lesson. */
  onback: () => void;
  /** Called when the tutorial is complete. */
  oncomplete: () => void;
}

export interface DecksProps {
  /** Name of the game, for storage and requests. */
  game: string;
  /** Faces of a shared deck, validated by the server; null to show the decks of this browser. */
  shared: readonly string[] | null;
}

export interface OptionEditorProps {
  /** Name of the game, for storage. */
  game: string;
  title: string;
  help: string;
  /** The current value; null for the game's default. */
  value: readonly unknown[] | null;
  /** Called with the new value; null for the game's default. */
  onchange: (value: readonly unknown[] | null) => void;
}

export interface CompanionProps {
  game: GameInfo;
  /** Editor of the game's options. Its arguments are the current values and a callback for new ones. */
  options: Snippet<[Readonly<Record<string, unknown>>, (values: Record<string, unknown>) => void]>;
}

type LazyComponent<Props extends object> = () => Promise<{ default: Component<Props> }>;

export interface GameUi {
  /** The game in one sentence. */
  summary: (game: GameInfo) => string;
  /** Author and short description for the start page. */
  pitch?: { author: string; text: () => string };
  /** Title and help of an option. */
  optionText: (option: OptionInfo) => { title: string; help: string };
  /** Editors of options that are lists. A list option without an editor is not offered. */
  optionEditors?: Readonly<Record<string, LazyComponent<OptionEditorProps>>>;
  /** The deck editor. */
  decks?: LazyComponent<DecksProps>;
  /** A running match: board, hand and buttons. The page adds seats and header. */
  matchView: LazyComponent<MatchViewProps>;
  /** One frame of a replay. */
  replayView: LazyComponent<ReplayViewProps>;
  /** True if each player has a display of their own, so that one can be shown alone. */
  hasDisplays?: boolean;
  /** A drawn rule example. */
  example?: LazyComponent<ExampleProps>;
  /** The last page of the tutorial, after the lessons. */
  finale?: LazyComponent<FinaleProps>;
  /** The companion for a physical game. */
  companion?: LazyComponent<CompanionProps>;
  /** A short overview of the scoring or the marks, for the side panel. */
  legend?: LazyComponent<Record<string, never>>;
  /** A small animated board for the start page. */
  slideshow?: LazyComponent<Record<string, never>>;
  /** Texts, scores and sounds of a match, loaded with its messages. */
  matchUi: () => Promise<{ default: MatchUi }>;
}

/** Texts, scores and sounds of a match. */
export interface MatchUi {
  /** One number for each seat, shown beside the name: a total, the pawns left. */
  scores: (state: MatchState) => number[];
  /** The outcome in the language of the page. */
  outcomeText: (state: MatchState) => string;
  /** Describe a turn in the language of the page. */
  turnText: (turn: string, context: TurnContext) => string;
  /** Describe a turn in a few words, for a list. */
  shortTurnText: (turn: string, context: TurnContext) => string;
  /** Describe a location of the board. Only games have it whose names of locations are not clear to players. */
  locationText?: (location: string) => string;
  /** Return the record with one more turn of the player, to try a rule example. */
  appendTurn?: (record: GameRecord, turn: string, player: number) => GameRecord;
  /** Sounds of a player's step. */
  stepSounds?: (step: StepState) => readonly Sound[];
  /** Color and sign of a seat, as its pieces have them. */
  seatMark: (seatIndex: number) => SeatMark;
}
