/** Cards of a deck and what is odd about it, in words. */
import { formatList, t } from "$lib/i18n/messages.svelte";
import { QUARTERS } from "../draw/zones";
import { faceText, zoneText } from "../text";
import { isWhole, UNKNOWN, type Face, type Zone } from "./faces";
import type { Statistics } from "./deckStatistics";

/** A card, by its place in the deck. */
export function cardText(card: number, face: Face): string {
  return isWhole(face) ? t("decks.card-face", { n: card + 1, face: faceText(face) }) : t("decks.card-open", { n: card + 1 });
}

export function quarterText(place: number, zone: Zone): string {
  const quarter = t(`limes.quarter.${QUARTERS[place]!}`);
  return t("decks.zone", { quarter, zone: zone === UNKNOWN ? t("decks.unknown") : zoneText(zone) });
}

/** What is allowed but probably not meant. */
export function deckWarnings({ doubles, missing, unfinished, allHuts }: Statistics): string[] {
  return [
    ...doubles.map((numbers) => t("decks.warning.doubles", { cards: formatList(numbers.map(String)) })),
    ...missing.map((landscape) => t("decks.warning.missing", { landscape: zoneText(landscape) })),
    ...(!unfinished.length && !allHuts ? [t("decks.warning.no-huts")] : []),
  ];
}

/** Which cards are still to be entered; empty if none is. */
export function unfinishedCardsText({ unfinished }: Statistics): string {
  if (!unfinished.length) return "";
  const few = unfinished.slice(0, 6).map(String);
  const more = unfinished.length - few.length;
  if (more) return t("decks.unfinished-many", { n: unfinished.length, first: unfinished[0]! });
  return t("decks.unfinished", { n: few.length, cards: formatList(few) });
}
