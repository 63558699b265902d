// What a board is told to draw, as plain values that know nothing of the rules.

/** A tile and the player whose pawn stands, or stood, on it. */
export type Pawn = [string, number];

/** The color letter of each player's tiles and sign. */
export const LETTERS = ["R", "B", "Y"] as const;

export interface Scene {
  /** Color letter of each tile that stands. */
  tiles: Record<string, string>;
  /** For each player the tiles with their pawns. */
  pawns: readonly (readonly string[])[];
  /** Tiles that go, or went, under, with their colors. */
  sunk?: readonly (readonly [string, string])[];
  /** Pawns that fall, or fell, with their players. */
  captured?: readonly Pawn[];
  /** Where the pawn that moved came from and went to. */
  moved?: readonly [string, string] | null;
  /** Pawns of groups in their last freedom. */
  danger?: readonly string[];
  /** Empty tiles marked as freedoms. */
  breath?: readonly string[];
  /** Tiles that a picked pawn may reach. */
  reach?: readonly string[];
  /** Tiles that may be removed. */
  removable?: readonly string[];
  /** The pawn that is picked. */
  picked?: string | null;
  /** The tiles a path leads over. */
  way?: readonly string[];
  /** Tiles that are spoken of: their names are written large enough for a phone. */
  named?: readonly string[];
  /** Whole turns that are shown beside each other. */
  compared?: readonly Compared[];
  /** On these tiles the number of pawns that choosing them captures. */
  takes?: Record<string, number>;
}

/** A turn that was played, or one that would have been better; what it does not have is empty. */
export interface Compared {
  as: "played" | "better";
  source: string;
  target: string;
  removed: string;
}

/** A tile that can be pointed at, with what a screen reader says of it. */
export interface Spot {
  name: string;
  label: string;
  enabled: boolean;
  /** Whether it is what the player looks for now, and not only possible. */
  wanted?: boolean;
  pressed?: boolean;
  drag?: boolean;
}

/** `c4-e5 xd3`, `c4-e5`, `xd3` or `-`, taken apart. */
export function turnParts(text: string): { source: string; target: string; removed: string } {
  const [, source = "", target = ""] = /^(\w+)-(\w+)/.exec(text) ?? [];
  const [, removed = ""] = /x(\w+)$/.exec(text) ?? [];
  return { source, target, removed };
}
