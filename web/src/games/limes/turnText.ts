/** Turns of Limes as text in the language of the page. */
import { t } from "$lib/i18n/messages.svelte";
import { grammaticalPerson } from "$lib/i18n/playerNames";
import { boardRegionText } from "$lib/i18n/boardRegion";
import { textWithGain } from "$lib/review/text";
import type { TurnContext } from "../gameUi";
import { boundsOf, cellsOf } from "./draw/bounds";
import { positionKey, neighbors, zoneKey, zonePosition, type Landscape } from "./draw/zones";
import { displayWithCard } from "./board/displayWithCard";
import type { LimesDisplay, LimesView } from "./types";
import { zoneLocationText, professionAt } from "./text";

const EMPTY_DISPLAY: LimesDisplay = { cards: 0, zones: {}, territories: [], workers: [], supply: 0, total: 0 };

/** Describe a turn as a sentence without a full stop, with the points it gains if they are known. */
export function turnText(turn: string, context: TurnContext): string {
  const { cell, turning, quarter, source, zone } = parseTurn(turn);
  const display = displayAfterPlacement(turn, context);
  const values = { cell, turned: t(`review.limes.rotation.${turning}`) };
  const text = quarter
    ? t("review.limes.place", {
        ...values,
        worker: t(`limes.a-profession.${professionAt(display, zone)}`),
        zone: t(`limes.quarter.${quarter}`),
      })
    : source
      ? t("review.limes.move", { ...values, move: moveText(display, source, zone) })
      : t("review.limes.lay", values);
  return textWithGain(text, context.gain);
}

/** Describe a turn in a few words, for a list. */
export function shortTurnText(turn: string, context: TurnContext): string {
  const { cell, quarter, source, zone } = parseTurn(turn);
  const display = displayAfterPlacement(turn, context);
  const text = quarter
    ? t("review.limes.brief.place", { cell, worker: t(`limes.profession.${professionAt(display, zone)}`) })
    : source
      ? t("review.limes.brief.move", {
          cell,
          worker: t(`limes.profession.${professionAt(display, source)}`),
          to: destinationText(display, source, zone, false),
        })
      : t("review.limes.brief.lay", { cell });
  return textWithGain(text, context.gain);
}

/** Describe a turn that a player has played; `display` is the display after it. */
export function stepText(name: string, turn: string, display: LimesDisplay): string {
  const { cell, quarter, source, zone } = parseTurn(turn);
  const values = { name, you: grammaticalPerson(name), cell, n: display.total };
  if (quarter) {
    const worker = t(`limes.a-profession.${professionAt(display, zone)}`);
    return t("limes.turn-description.place", { ...values, worker, zone: t(`limes.quarter.${quarter}`) });
  }
  return source
    ? t("limes.turn-description.move", { ...values, move: moveText(display, source, zone) })
    : t("limes.turn-description.lay", values);
}

/** Describe a move: `the woodcutter in the southeast to the field next door`. The display includes the turn's card. */
function moveText(display: LimesDisplay, source: string, zone: string): string {
  const worker = t(`limes.the-profession.${professionAt(display, source)}`);
  return t("limes.worker-move", {
    worker,
    where: workerLocationText(display, source),
    to: destinationText(display, source, zone, true),
  });
}

type Quarter = "nw";

interface ParsedTurn {
  cell: string;
  turning: "0";
  /** The zone of the card where a worker is placed. */
  quarter: Quarter | null;
  /** The zone from which a worker moves. */
  source: string | null;
  /** The zone to which a worker goes; empty without one. */
  zone: string;
}

/** Parse a turn such as `d4r1`, `d4r1 +nw` or `d4r1 d4.se>e5.nw`. */
function parseTurn(turn: string): ParsedTurn {
  const [placement = "", action = ""] = turn.split(" ");
  const [cell, turning] = [placement.slice(0, 2), placement.slice(3) as "0"];
  if (action.startsWith("+"))
    return { cell, turning, quarter: action.slice(1) as Quarter, source: null, zone: `${cell}.${action.slice(1)}` };
  const [source = "", zone = ""] = action.split(">");
  return { cell, turning, quarter: null, source: source || null, zone };
}

/** Return the display of the player to move, with the card on the turn's cell. */
function displayAfterPlacement(turn: string, { views, player }: TurnContext): LimesDisplay {
  const limesViews = views as readonly LimesView[];
  const display = [...limesViews].reverse().find(({ displays }) => displays[player])?.displays[player] ?? EMPTY_DISPLAY;
  const { cell, turning } = parseTurn(turn);
  const face = limesViews.at(-1)?.card?.turnings[Number(turning)];
  return face ? displayWithCard(display, face, cell, null) : display;
}

/** Describe the part of the display in which a zone is. */
function zoneRegionText({ zones }: LimesDisplay, zone: string): string {
  const { column, row, columns, rows } = boundsOf(cellsOf(zones));
  const { x, y } = zonePosition(zone);
  return boardRegionText((x + 0.5 - 2 * column) / columns - 1, (y + 0.5 - 2 * row) / rows - 1);
}

/** Describe where a worker is: the region, or the exact zone if another worker of his profession is in the same region. */
function workerLocationText(display: LimesDisplay, zone: string): string {
  const region = zoneRegionText(display, zone);
  const isAmbiguous = display.workers.some(
    (other) =>
      other.zone !== zone &&
      professionAt(display, other.zone) === professionAt(display, zone) &&
      zoneRegionText(display, other.zone) === region,
  );
  return isAmbiguous ? t("limes.in-zone", { zone: zoneLocationText(zone) }) : region;
}

/** Describe where a worker goes: to an adjacent territory or across the water; if `exact`, name the zone if it is ambiguous. */
function destinationText(display: LimesDisplay, source: string, zone: string, exact: boolean): string {
  const { territories, zones } = display;
  const landscape = zones[zone]?.[0] as Landscape | undefined;
  if (!landscape) return zoneLocationText(zone);
  const neighborKeys = new Set(
    territories
      .find((territory) => territory.includes(source))
      ?.flatMap((name) => {
        const { x, y } = zonePosition(name);
        return neighbors(x, y).map((place) => positionKey(...place));
      }),
  );
  const adjacent = territories.filter(
    (territory) => !territory.includes(source) && territory.some((name) => neighborKeys.has(zoneKey(name))),
  );
  if (!adjacent.some((territory) => territory.includes(zone)))
    return t("limes.across-water", { to: t(`limes.to-landscape.${landscape}`) });
  const to = t(`limes.to-neighboring.${landscape}`);
  if (!exact) return to;
  const sameLandscape = adjacent.filter(([first]) => zones[first!]?.[0] === landscape);
  return sameLandscape.length > 1 ? t("limes.to-zone", { to, zone: zoneLocationText(zone) }) : to;
}
