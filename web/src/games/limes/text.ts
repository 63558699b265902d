/** What a drawing shows, in words. */
import type { LimesDisplay, LimesView, LimesWorker } from "./types";
import { formatList, t, type MessageKey } from "$lib/i18n/messages.svelte";
import { grammaticalPerson } from "$lib/i18n/playerNames";
import { touchInput } from "$lib/input/pointer";
import { cellsOf } from "./draw/bounds";
import type { LimesDraft } from "./match/draft.svelte";
import { QUARTERS, type Landscape } from "./draw/zones";

export function zoneText(written: string): string {
  const name = t(`limes.landscape.${written[0] as Landscape}`);
  return written.endsWith("*") ? t("limes.with-hut", { name }) : name;
}

/** `d4.nw` as a player would say it. */
export function zoneLocationText(zone: string): string {
  const [cell = "", quarter = ""] = zone.split(".");
  return t("limes.zone", { cell, quarter: t(`limes.quarter.${quarter as (typeof QUARTERS)[number]}`) });
}

export function faceText(face: readonly string[]): string {
  return face.map(zoneText).join(", ");
}

export function workerText(worker: LimesWorker): string {
  const name = t(`limes.profession.${worker.profession}`);
  const values = { name, zone: zoneLocationText(worker.zone), n: worker.points };
  const said = worker.scored ? t("limes.worker", values) : t("limes.worker.idle", values);
  return said.charAt(0).toUpperCase() + said.slice(1);
}

/** What a worker's points are made of. */
export function workerScoringText(worker: LimesWorker): string {
  if (!worker.counted.length) return t("limes.why.nothing");
  return t(`limes.why.${worker.profession}`, {
    n: worker.points,
    zones: formatList(worker.counted.map(([zone]) => zoneLocationText(zone!))),
  });
}

export function displayText({ zones, workers, total }: LimesDisplay): string {
  const cells = [...cellsOf(zones)].sort((a, b) => (a[1]! + a[0]! < b[1]! + b[0]! ? -1 : 1));
  const cards = cells.map((cell) => `${cell} ${faceText(QUARTERS.map((quarter) => zones[`${cell}.${quarter}`]!))}`);
  const said = [`${t("limes.display", { n: total })}.`, cards.length ? `${cards.join("; ")}.` : "", ...workers.map(workerText)];
  return said.filter(Boolean).join(" ");
}

const PROFESSIONS = { F: "farmer", W: "fisherman", T: "woodcutter", R: "watchman" } as const;

/** Who works on a landscape. */
export function professionOf(written: string): LimesWorker["profession"] {
  return PROFESSIONS[written[0] as Landscape];
}

export function professionAt({ zones }: LimesDisplay, zone: string): LimesWorker["profession"] {
  return professionOf(zones[zone] ?? "F");
}

/** What an action would do, in words. */
export function actionText(draft: LimesDraft, display: LimesDisplay, action: string, total: number): string {
  const name = t(`limes.profession.${professionAt(display, draft.zoneOf(action))}`);
  const zone = zoneLocationText(draft.zoneOf(action));
  if (action.startsWith("+")) return t("limes.place", { name, zone, n: total });
  return t("limes.move", { name, zone, from: zoneLocationText(action.split(">")[0]!), n: total });
}

/** What can be done with workers while so many are in the supply. */
export function workerHintText(supply: number): string {
  if (supply === 0) return t("limes.hint.empty");
  return t(touchInput.current ? "limes.hint.worker.touch" : "limes.hint.worker");
}

export function ratingText(rating: string): string {
  return t(`limes.rating.${rating.toLowerCase().replaceAll(" ", "-")}` as MessageKey);
}

/** How the game ended, in a sentence. */
export function outcomeText({ end }: LimesView, names: readonly string[]): string {
  if (!end) return "";
  const best = Math.max(...end.totals);
  const won = formatList(end.winners.map((seat) => names[seat] ?? ""));
  const values = { names: won, you: grammaticalPerson(won), n: best };
  if (end.kind !== "tie-break") return t(`limes.end.${end.kind}`, values);
  const winner = end.winners[0]!;
  const tied = end.totals.flatMap((total, seat) => (total === best && seat !== winner ? [seat] : []));
  const row = (seat: number) => end.rankings[seat]!.join(", ");
  const others = formatList(tied.map((seat) => `${names[seat]} ${row(seat)}`));
  return t("limes.end.tie-break", { ...values, row: row(winner), others });
}
