/** What a review says, in the language of the page. */
import { capitalize, currentLanguage, t, translateIfKnown, type Values } from "$lib/i18n/messages.svelte";
import type { Reason, ReviewedTurn, ValueUnit } from "./reviewStream";

/** A place of the board as a game says it. */
export type LocationText = (place: string) => string;

/** `41.3` points, or `62 %`. */
export function valueText(value: number, unit: ValueUnit): string {
  const shown = unit === "probability" ? ({ style: "percent" } as const) : { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  return new Intl.NumberFormat(currentLanguage(), shown).format(value);
}

/** A turn with the points that it brings at once, where it brings any. */
export function textWithGain(turn: string, gain = 0): string {
  if (!gain) return turn;
  return t("review.gain", { turn, gain: new Intl.NumberFormat(currentLanguage(), { signDisplay: "always" }).format(gain) });
}

/** What a turn brings at once, if any of these reasons says it. */
export function gainFromReasons(reasons: readonly Reason[], turn: string): number | undefined {
  const said = reasons.find(({ values }) => values.turn === turn && "gain" in values);
  return said && Number(said.values.gain);
}

/** How the turns of a review are told in the words of their game. */
export interface ReviewTurnText {
  played: (turn: ReviewedTurn) => string;
  best: (turn: ReviewedTurn) => string;
  /** What was played, for a list. */
  brief: (turn: ReviewedTurn) => string;
}

/** Accuracies come from 0 to 100. */
export function accuracyText(accuracy: number | null): string {
  return accuracy === null ? "–" : new Intl.NumberFormat(currentLanguage(), { style: "percent" }).format(accuracy / 100);
}

/** The best result found for a deal, and what is known beyond it. */
export function parText(par: number | null, bound: number | null): string {
  if (par === null) return "";
  const beyond = bound === null ? "" : par === bound ? t("review.par.best") : t("review.par.bound", { n: bound });
  return `${t("review.par", { n: par })} ${beyond}`.trim();
}

/** Whether a turn gave away more than what is rounded off. */
export function isCostly({ lost }: Pick<ReviewedTurn, "lost">, unit: ValueUnit): boolean {
  return lost >= (unit === "probability" ? 0.005 : 0.05);
}

const MARKS = { "!": "brilliant", "?": "mistake", "??": "blunder" } as const;

export function markText(mark: ReviewedTurn["mark"]): string {
  return mark === "" ? "" : t(`review.mark.${MARKS[mark]}`);
}

/** The turns that reasons speak of: which of them is the better one. */
export interface ReasonTurns {
  best: string;
  /** None where only one is spoken of. */
  played: string | null;
}

/** What a turn that a reason speaks of is called, so that nobody has to read how it is written. */
function turnLabel(turn: string, { best, played }: ReasonTurns): string {
  if (played === null || played === best) return t("review.turn.this");
  return t(turn === best ? "review.turn.best" : "review.turn.played");
}

/** A reason as a sentence; where the server gave none that we know, in its own English. */
export function reasonText(reason: Reason, turns: ReasonTurns, place: LocationText = (name) => name): string {
  return capitalize(
    reasonPartText(reason, (name) => (name === turns.best || name === turns.played ? turnLabel(name, turns) : place(name))),
  );
}

/** The places of the board that reasons speak of. */
export function locationsInReasons(reasons: readonly Reason[]): Set<string> {
  return new Set(
    reasons.flatMap(({ values, parts }) => [
      ...Object.values(values).flatMap((value) => (typeof value === "string" ? value.split(", ") : [])),
      ...locationsInReasons(parts),
    ]),
  );
}

function reasonPartText({ key, values, parts, text }: Reason, place: LocationText): string {
  const known: Values = {};
  for (const [name, value] of Object.entries(values)) {
    if (typeof value !== "string") known[name] = value;
    else known[name] = value.startsWith(":") ? (translateIfKnown(value.slice(1)) ?? value.slice(1)) : place(value);
  }
  const said = key ? translateIfKnown(`review.reason.${key}`, known) : null;
  if (said === null) return text;
  return parts.length ? `${said}${t("review.reason.join")}${parts.map((part) => reasonPartText(part, place)).join("; ")}` : said;
}
