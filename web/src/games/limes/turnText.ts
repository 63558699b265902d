/** A turn in words: which card goes where, and who goes to work where. */
import { t } from "$lib/i18n/messages.svelte";
import { grammaticalPerson } from "$lib/i18n/playerNames";
import { boardRegionText } from "$lib/i18n/boardRegion";
import { textWithGain } from "$lib/review/text";
import type { TurnSetting } from "../gameUi";
import { boundsOf, cellsOf } from "./draw/bounds";
import { at, neighbours, zoneKey, zonePlace, type Landscape } from "./draw/zones";
import { laidDisplay } from "./board/displayWithCard";
import type { LimesDisplay, LimesView } from "./types";
import { placeWords, workerAt } from "./text";

const NOTHING: LimesDisplay = { cards: 0, zones: {}, territories: [], workers: [], supply: 0, total: 0 };

/** The turn as a sentence without its end; what it brings at once is said if it is known. */
export function turnWords(text: string, setting: TurnSetting): string {
  const { cell, turning, placed, from, zone } = parts(text);
  const display = laid(text, setting);
  const values = { cell, turned: t(`review.limes.turned.${turning}`) };
  const said = placed
    ? t("review.limes.place", { ...values, worker: t(`limes.a.${workerAt(display, zone)}`), zone: t(`limes.quarter.${placed}`) })
    : from
      ? t("review.limes.move", { ...values, move: moveWords(display, from, zone) })
      : t("review.limes.lay", values);
  return textWithGain(said, setting.gain);
}

/** The same for a list. */
export function briefTurn(text: string, setting: TurnSetting): string {
  const { cell, placed, from, zone } = parts(text);
  const display = laid(text, setting);
  const said = placed
    ? t("review.limes.brief.place", { cell, worker: t(`limes.profession.${workerAt(display, zone)}`) })
    : from
      ? t("review.limes.brief.move", {
          cell,
          worker: t(`limes.profession.${workerAt(display, from)}`),
          to: toWords(display, from, zone, false),
        })
      : t("review.limes.brief.lay", { cell });
  return textWithGain(said, setting.gain);
}

/** What a player did, on the display that came of it. */
export function stepWords(name: string, text: string, display: LimesDisplay): string {
  const { cell, placed, from, zone } = parts(text);
  const values = { name, you: grammaticalPerson(name), cell, n: display.total };
  if (placed) {
    const worker = t(`limes.a.${workerAt(display, zone)}`);
    return t("limes.said.place", { ...values, worker, zone: t(`limes.quarter.${placed}`) });
  }
  return from ? t("limes.said.move", { ...values, move: moveWords(display, from, zone) }) : t("limes.said.lay", values);
}

/** `the woodcutter in the south-east to the field next door`, on a display where the card lies. */
function moveWords(display: LimesDisplay, from: string, zone: string): string {
  const worker = t(`limes.whom.${workerAt(display, from)}`);
  return t("limes.moves", { worker, where: whereWords(display, from), to: toWords(display, from, zone, true) });
}

type Quarter = "nw";

/** `d4r1`, `d4r1 +nw` or `d4r1 d4.se>e5.nw`, taken apart. */
function parts(text: string): { cell: string; turning: "0"; placed: Quarter | null; from: string | null; zone: string } {
  const [laid = "", action = ""] = text.split(" ");
  const [cell, turning] = [laid.slice(0, 2), laid.slice(3) as "0"];
  if (action.startsWith("+"))
    return { cell, turning, placed: action.slice(1) as Quarter, from: null, zone: `${cell}.${action.slice(1)}` };
  const [from = "", zone = ""] = action.split(">");
  return { cell, turning, placed: null, from: from || null, zone };
}

/** The display of whoever plays the turn, with the card where the turn lays it. */
function laid(text: string, { views, player }: TurnSetting): LimesDisplay {
  const seen = views as readonly LimesView[];
  const own = [...seen].reverse().find(({ displays }) => displays[player])?.displays[player] ?? NOTHING;
  const { cell, turning } = parts(text);
  const face = seen.at(-1)?.card?.turnings[Number(turning)];
  return face ? laidDisplay(own, face, cell, null) : own;
}

/** In which part of the display a zone is. */
function regionOf({ zones }: LimesDisplay, zone: string): string {
  const { column, row, columns, rows } = boundsOf(cellsOf(zones));
  const { x, y } = zonePlace(zone);
  return boardRegionText((x + 0.5 - 2 * column) / columns - 1, (y + 0.5 - 2 * row) / rows - 1);
}

/** Where a worker is, so that no other of his profession can be meant. */
function whereWords(display: LimesDisplay, zone: string): string {
  const region = regionOf(display, zone);
  const mistakable = display.workers.some(
    (other) =>
      other.zone !== zone &&
      workerAt(display, other.zone) === workerAt(display, zone) &&
      regionOf(display, other.zone) === region,
  );
  return mistakable ? t("limes.where", { zone: placeWords(zone) }) : region;
}

/** Where he goes: next door, if he needs no ferry; and exactly to which of several. */
function toWords(display: LimesDisplay, from: string, zone: string, exact: boolean): string {
  const { territories, zones } = display;
  const landscape = zones[zone]?.[0] as Landscape | undefined;
  if (!landscape) return placeWords(zone);
  const around = new Set(
    territories
      .find((piece) => piece.includes(from))
      ?.flatMap((each) => {
        const { x, y } = zonePlace(each);
        return neighbours(x, y).map((place) => at(...place));
      }),
  );
  const beside = territories.filter((piece) => !piece.includes(from) && piece.some((each) => around.has(zoneKey(each))));
  if (!beside.some((piece) => piece.includes(zone))) return t("limes.ferried", { to: t(`limes.to.${landscape}`) });
  const to = t(`limes.next.${landscape}`);
  if (!exact) return to;
  const alike = beside.filter(([first]) => zones[first!]?.[0] === landscape);
  return alike.length > 1 ? t("limes.exactly", { to, zone: placeWords(zone) }) : to;
}
