/** The players' colours and marks, as in the Python drawings (a test compares them). */
export interface Player {
  colour: string;
  mark: string;
  sign: string;
}

export const PLAYERS: readonly Player[] = [
  { colour: "#b3261e", mark: "dot", sign: "•" },
  { colour: "#24211f", mark: "bar", sign: "|" },
  { colour: "#1f5ca6", mark: "triangle", sign: "▲" },
  { colour: "#2a6e38", mark: "cross", sign: "+" },
  { colour: "#6b3fa0", mark: "ring", sign: "o" },
  { colour: "#b4500c", mark: "square", sign: "■" },
  { colour: "#0d7377", mark: "diamond", sign: "◆" },
  { colour: "#74451d", mark: "chevron", sign: "^" },
];

export function player(seat: number): Player {
  return PLAYERS[seat % PLAYERS.length]!;
}
