/** A turn in words: which card goes where, and who goes to work where. */
import { t } from "$lib/i18n/messages.svelte";
import { grammaticalPerson } from "$lib/i18n/playerNames";
import { boardRegionText } from "$lib/i18n/boardRegion";
import { textWithGain } from "$lib/review/text";
import type { TurnContext } from "../gameUi";
import { boundsOf, cellsOf } from "./draw/bounds";
import { at, neighbors, zoneKey, zonePlace, type Landscape } from "./draw/zones";
import { laidDisplay } from "./board/displayWithCard";
import type { LimesDisplay, LimesView } from "./types";
import { zoneLocationText, professionAt } from "./text";

const EMPTY_DISPLAY: LimesDisplay = { cards: 0, zones: {}, territories: [], workers: [], supply: 0, total: 0 };

/** The turn as a sentence without its end; what it brings at once is said if it is known. */
export function turnText(text: string, setting: TurnContext): string {
  const { cell, turning, placed, from, zone } = parseTurn(text);
  const display = displayAfterPlacement(text, setting);
  const values = { cell, turned: t(`review.limes.turned.${turning}`) };
  const said = placed
    ? t("review.limes.place", {
        ...values,
        worker: t(`limes.a.${professionAt(display, zone)}`),
        zone: t(`limes.quarter.${placed}`),
      })
    : from
      ? t("review.limes.move", { ...values, move: moveText(display, from, zone) })
      : t("review.limes.lay", values);
  return textWithGain(said, setting.gain);
}

/** The same for a list. */
export function shortTurnText(text: string, setting: TurnContext): string {
  const { cell, placed, from, zone } = parseTurn(text);
  const display = displayAfterPlacement(text, setting);
  const said = placed
    ? t("review.limes.brief.place", { cell, worker: t(`limes.profession.${professionAt(display, zone)}`) })
    : from
      ? t("review.limes.brief.move", {
          cell,
          worker: t(`limes.profession.${professionAt(display, from)}`),
          to: destinationText(display, from, zone, false),
        })
      : t("review.limes.brief.lay", { cell });
  return textWithGain(said, setting.gain);
}

/** What a player did, on the display that came of it. */
export function stepText(name: string, text: string, display: LimesDisplay): string {
  const { cell, placed, from, zone } = parseTurn(text);
  const values = { name, you: grammaticalPerson(name), cell, n: display.total };
  if (placed) {
    const worker = t(`limes.a.${professionAt(display, zone)}`);
    return t("limes.said.place", { ...values, worker, zone: t(`limes.quarter.${placed}`) });
  }
  return from ? t("limes.said.move", { ...values, move: moveText(display, from, zone) }) : t("limes.said.lay", values);
}

/** `the woodcutter in the south-east to the field next door`, on a display where the card lies. */
function moveText(display: LimesDisplay, from: string, zone: string): string {
  const worker = t(`limes.whom.${professionAt(display, from)}`);
  return t("limes.moves", { worker, where: workerLocationText(display, from), to: destinationText(display, from, zone, true) });
}

type Quarter = "nw";

/** `d4r1`, `d4r1 +nw` or `d4r1 d4.se>e5.nw`, taken apart. */
function parseTurn(text: string): { cell: string; turning: "0"; placed: Quarter | null; from: string | null; zone: string } {
  const [laid = "", action = ""] = text.split(" ");
  const [cell, turning] = [laid.slice(0, 2), laid.slice(3) as "0"];
  if (action.startsWith("+"))
    return { cell, turning, placed: action.slice(1) as Quarter, from: null, zone: `${cell}.${action.slice(1)}` };
  const [from = "", zone = ""] = action.split(">");
  return { cell, turning, placed: null, from: from || null, zone };
}

/** The display of whoever plays the turn, with the card where the turn lays it. */
function displayAfterPlacement(text: string, { views, player }: TurnContext): LimesDisplay {
  const seen = views as readonly LimesView[];
  const own = [...seen].reverse().find(({ displays }) => displays[player])?.displays[player] ?? EMPTY_DISPLAY;
  const { cell, turning } = parseTurn(text);
  const face = seen.at(-1)?.card?.turnings[Number(turning)];
  return face ? laidDisplay(own, face, cell, null) : own;
}

/** In which part of the display a zone is. */
function zoneRegionText({ zones }: LimesDisplay, zone: string): string {
  const { column, row, columns, rows } = boundsOf(cellsOf(zones));
  const { x, y } = zonePlace(zone);
  return boardRegionText((x + 0.5 - 2 * column) / columns - 1, (y + 0.5 - 2 * row) / rows - 1);
}

/** Where a worker is, so that no other of his profession can be meant. */
function workerLocationText(display: LimesDisplay, zone: string): string {
  const region = zoneRegionText(display, zone);
  const mistakable = display.workers.some(
    (other) =>
      other.zone !== zone &&
      professionAt(display, other.zone) === professionAt(display, zone) &&
      zoneRegionText(display, other.zone) === region,
  );
  return mistakable ? t("limes.where", { zone: zoneLocationText(zone) }) : region;
}

/** Where he goes: next door, if he needs no ferry; and exactly to which of several. */
function destinationText(display: LimesDisplay, from: string, zone: string, exact: boolean): string {
  const { territories, zones } = display;
  const landscape = zones[zone]?.[0] as Landscape | undefined;
  if (!landscape) return zoneLocationText(zone);
  const around = new Set(
    territories
      .find((piece) => piece.includes(from))
      ?.flatMap((each) => {
        const { x, y } = zonePlace(each);
        return neighbors(x, y).map((place) => at(...place));
      }),
  );
  const beside = territories.filter((piece) => !piece.includes(from) && piece.some((each) => around.has(zoneKey(each))));
  if (!beside.some((piece) => piece.includes(zone))) return t("limes.ferried", { to: t(`limes.to.${landscape}`) });
  const to = t(`limes.next.${landscape}`);
  if (!exact) return to;
  const alike = beside.filter(([first]) => zones[first!]?.[0] === landscape);
  return alike.length > 1 ? t("limes.exactly", { to, zone: zoneLocationText(zone) }) : to;
}
