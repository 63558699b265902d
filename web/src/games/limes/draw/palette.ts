/** Colors and marks of the players, the same as in the Python drawings (a test compares them). */
export interface PlayerStyle {
  color: string;
  mark: string;
  sign: string;
}

export const PLAYER_STYLES: readonly PlayerStyle[] = [
  { color: "#b3261e", mark: "dot", sign: "•" },
  { color: "#24211f", mark: "bar", sign: "|" },
  { color: "#1f5ca6", mark: "triangle", sign: "▲" },
  { color: "#2a6e38", mark: "cross", sign: "+" },
  { color: "#6b3fa0", mark: "ring", sign: "o" },
  { color: "#b4500c", mark: "square", sign: "■" },
  { color: "#0d7377", mark: "diamond", sign: "◆" },
  { color: "#74451d", mark: "chevron", sign: "^" },
];

/** The color that is mixed into the cloak of a worker in whose territory another worker scores. */
export const PALE = "#fff8e6";

export function playerStyle(seat: number): PlayerStyle {
  return PLAYER_STYLES[seat % PLAYER_STYLES.length]!;
}

/** Mix two colors of the form #rrggbb; `share` is the part of the second color. */
export function mixColors(color: string, other: string, share: number): string {
  const channel = (text: string, i: number) => parseInt(text.slice(i, i + 2), 16);
  const blend = (i: number) => Math.round(channel(color, i) + (channel(other, i) - channel(color, i)) * share);
  return `#${[1, 3, 5].map((i) => blend(i).toString(16).padStart(2, "0")).join("")}`;
}
