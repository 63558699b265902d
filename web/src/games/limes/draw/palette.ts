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

/** What the cloak of a worker who does not score is mixed with. */
export const PALE = "#fff8e6";

export function player(seat: number): Player {
  return PLAYERS[seat % PLAYERS.length]!;
}

/** A colour with a share of another in it; both are written #rrggbb. */
export function mix(colour: string, other: string, share: number): string {
  const part = (text: string, i: number) => parseInt(text.slice(i, i + 2), 16);
  const blend = (i: number) => Math.round(part(colour, i) + (part(other, i) - part(colour, i)) * share);
  return `#${[1, 3, 5].map((i) => blend(i).toString(16).padStart(2, "0")).join("")}`;
}
