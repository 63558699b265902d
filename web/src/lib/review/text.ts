/** The texts of reviews, in the language of the page. */
import { capitalize, currentLanguage, t, translateIfKnown, type Values } from "$lib/i18n/messages.svelte";
import type { Reason, ReviewedTurn, ValueUnit } from "./reviewStream";

/** Name a location of the board. */
export type LocationText = (location: string) => string;

/** Format an evaluation: `41.3` points, or `62 %`. */
export function valueText(value: number, unit: ValueUnit): string {
  const format =
    unit === "probability" ? ({ style: "percent" } as const) : { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  return new Intl.NumberFormat(currentLanguage(), format).format(value);
}

/** Add the immediate gain in points to the description of a turn, if there is any. */
export function textWithGain(turn: string, gain = 0): string {
  if (!gain) return turn;
  return t("review.gain", { turn, gain: new Intl.NumberFormat(currentLanguage(), { signDisplay: "always" }).format(gain) });
}

/** Return the immediate gain of a turn that a reason names. */
export function gainFromReasons(reasons: readonly Reason[], turn: string): number | undefined {
  const reason = reasons.find(({ values }) => values.turn === turn && "gain" in values);
  return reason && Number(reason.values.gain);
}

/** Descriptions of reviewed turns, by their game. */
export interface ReviewTurnText {
  played: (turn: ReviewedTurn) => string;
  best: (turn: ReviewedTurn) => string;
  /** A short form of `played`, for a list. */
  brief: (turn: ReviewedTurn) => string;
}

/** Format an accuracy from 0 to 100 as percent. */
export function formatAccuracy(accuracy: number | null): string {
  return accuracy === null ? "–" : new Intl.NumberFormat(currentLanguage(), { style: "percent" }).format(accuracy / 100);
}

/** Describe the par of a deal and its upper bound. */
export function parText(par: number | null, bound: number | null): string {
  if (par === null) return "";
  const beyond = bound === null ? "" : par === bound ? t("review.par.best") : t("review.par.bound", { n: bound });
  return `${t("review.par", { n: par })} ${beyond}`.trim();
}

/** Return true if the loss of a turn is visible after rounding. */
export function isCostly({ lost }: Pick<ReviewedTurn, "lost">, unit: ValueUnit): boolean {
  return lost >= (unit === "probability" ? 0.005 : 0.05);
}

const MARKS = { "!": "brilliant", "?": "mistake", "??": "blunder" } as const;

export function markText(mark: ReviewedTurn["mark"]): string {
  return mark === "" ? "" : t(`review.mark.${MARKS[mark]}`);
}

/** The turns that reasons refer to. */
export interface ReasonTurns {
  best: string;
  /** Null if the reasons refer to the best turn only. */
  played: string | null;
}

/** Return a phrase for a turn in a reason, such as "this turn", instead of its notation. */
function turnLabel(turn: string, { best, played }: ReasonTurns): string {
  if (played === null || played === best) return t("review.turn.this");
  return t(turn === best ? "review.turn.best" : "review.turn.played");
}

/** Return a reason as a sentence; in the server's English if its key has no message. */
export function reasonText(reason: Reason, turns: ReasonTurns, locationText: LocationText = (name) => name): string {
  return capitalize(
    reasonPartText(reason, (name) =>
      name === turns.best || name === turns.played ? turnLabel(name, turns) : locationText(name),
    ),
  );
}

/** Return the locations of the board that occur in these reasons for an evaluation. */
export function locationsInReasons(reasons: readonly Reason[]): Set<string> {
  return new Set(
    reasons.flatMap(({ values, parts }) => [
      ...Object.values(values).flatMap((value) => (typeof value === "string" ? value.split(", ") : [])),
      ...locationsInReasons(parts),
    ]),
  );
}

function reasonPartText({ key, values, parts, text }: Reason, locationText: LocationText): string {
  const known: Values = {};
  for (const [name, value] of Object.entries(values)) {
    if (typeof value !== "string") known[name] = value;
    else known[name] = value.startsWith(":") ? (translateIfKnown(value.slice(1)) ?? value.slice(1)) : locationText(value);
  }
  const sentence = key ? translateIfKnown(`review.reason.${key}`, known) : null;
  if (sentence === null) return text;
  return parts.length
    ? `${sentence}${t("review.reason.join")}${parts.map((part) => reasonPartText(part, locationText)).join("; ")}`
    : sentence;
}
