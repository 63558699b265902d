/** Texts about the cards of a deck and its statistics. */
import { formatList, t } from "$lib/i18n/messages.svelte";
import { QUARTERS } from "../draw/zones";
import { faceText, zoneText } from "../text";
import { isComplete, UNKNOWN, type Face, type Zone } from "./faces";
import type { DeckStatistics } from "./deckStatistics";

const MAX_LISTED_CARDS = 6;

/** Describe a card by its number and face. */
export function cardText(card: number, face: Face): string {
  return isComplete(face)
    ? t("decks.card-face", { n: card + 1, face: faceText(face) })
    : t("decks.card-unfinished", { n: card + 1 });
}

/** Describe a zone of a card. */
export function quarterText(index: number, zone: Zone): string {
  const quarter = t(`limes.quarter.${QUARTERS[index]!}`);
  return t("decks.zone", { quarter, zone: zone === UNKNOWN ? t("decks.unknown") : zoneText(zone) });
}

/** Describe what is allowed but probably a mistake. */
export function deckWarnings({ duplicates, missing, unfinished, hutCount }: DeckStatistics): string[] {
  return [
    ...duplicates.map((numbers) => t("decks.warning.doubles", { cards: formatList(numbers.map(String)) })),
    ...missing.map((landscape) => t("decks.warning.missing", { landscape: zoneText(landscape) })),
    ...(!unfinished.length && !hutCount ? [t("decks.warning.no-huts")] : []),
  ];
}

/** List the cards that are not complete; empty if all are. */
export function unfinishedCardsText({ unfinished }: DeckStatistics): string {
  if (!unfinished.length) return "";
  const few = unfinished.slice(0, MAX_LISTED_CARDS).map(String);
  if (unfinished.length > few.length) return t("decks.unfinished-many", { n: unfinished.length, first: unfinished[0]! });
  return t("decks.unfinished", { n: few.length, cards: formatList(few) });
}
