/** Plain data that describe what a board draws. */

/** A tile and the player whose pawn is, or was, on it. */
export type Pawn = [string, number];

/** The color letter of each player. */
export const COLOR_LETTERS = ["R", "B", "Y"] as const;

export interface Scene {
  /** Color letter of each tile. */
  tiles: Record<string, string>;
  /** The tiles with pawns of each player. */
  pawns: readonly (readonly string[])[];
  /** Tiles that sink, with their color letters. */
  sunk?: readonly (readonly [string, string])[];
  /** Captured pawns. */
  captured?: readonly Pawn[];
  /** Source and target of the moved pawn. */
  moved?: readonly [string, string] | null;
  /** Pawns of groups with a single freedom. */
  danger?: readonly string[];
  /** Empty tiles marked as freedoms. */
  freedoms?: readonly string[];
  /** Tiles that the picked pawn can reach. */
  reach?: readonly string[];
  /** Tiles that may be removed. */
  removable?: readonly string[];
  /** Tile of the picked pawn. */
  picked?: string | null;
  /** Tiles of the path of a pawn move. */
  path?: readonly string[];
  /** Tiles whose names are large enough for a phone. */
  emphasizedLabels?: readonly string[];
  /** The played and the better turn. */
  comparedTurns?: readonly ComparedTurn[];
  /** Number of pawns that a choice of the tile captures. */
  captureCounts?: Record<string, number>;
}

/** A played or better turn. Parts that the turn does not have are empty. */
export interface ComparedTurn {
  as: "played" | "better";
  source: string;
  target: string;
  removed: string;
}

/** A tile, or an empty place, as a button. */
export interface TileButton {
  name: string;
  /** Accessible label. */
  label: string;
  enabled: boolean;
  /** True for choices of the current stage, through which N cycles; other enabled tiles undo or change a choice. */
  isCandidate?: boolean;
  pressed?: boolean;
  draggable?: boolean;
}

/** Parse a turn such as `c4-e5 xd3`, `c4-e5`, `xd3` or `-`. Parts that it does not have are empty. */
export function turnParts(text: string): { source: string; target: string; removed: string } {
  const [, source = "", target = ""] = /^(\w+)-(\w+)/.exec(text) ?? [];
  const [, removed = ""] = /x(\w+)$/.exec(text) ?? [];
  return { source, target, removed };
}
