/** Texts about displays, workers and outcomes of Limes. */
import type { LimesDisplay, LimesView, LimesWorker } from "./types";
import { capitalize, formatList, t, type MessageKey } from "$lib/i18n/messages.svelte";
import { grammaticalPerson } from "$lib/i18n/playerNames";
import { touchInput } from "$lib/input/touchInput";
import { cellsOf } from "./draw/bounds";
import type { LimesDraft } from "./match/draft.svelte";
import { QUARTERS, type Landscape } from "./draw/zones";

export function zoneText(zone: string): string {
  const name = t(`limes.landscape.${zone[0] as Landscape}`);
  return zone.endsWith("*") ? t("limes.with-hut", { name }) : name;
}

/** Describe the location of a zone such as `d4.nw`. */
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
  return capitalize(worker.scored ? t("limes.worker", values) : t("limes.worker.idle", values));
}

/** Explain a worker's points. */
export function workerScoringText(worker: LimesWorker): string {
  if (!worker.counted.length) return t("limes.score-reason.none");
  return t(`limes.score-reason.${worker.profession}`, {
    n: worker.points,
    zones: formatList(worker.counted.map(([zone]) => zoneLocationText(zone!))),
  });
}

export function displayText({ zones, workers, total }: LimesDisplay): string {
  const cells = [...cellsOf(zones)].sort((a, b) => (a[1]! + a[0]! < b[1]! + b[0]! ? -1 : 1));
  const cards = cells.map((cell) => `${cell} ${faceText(QUARTERS.map((quarter) => zones[`${cell}.${quarter}`]!))}`);
  const sentences = [
    `${t("limes.display", { n: total })}.`,
    cards.length ? `${cards.join("; ")}.` : "",
    ...workers.map(workerText),
  ];
  return sentences.filter(Boolean).join(" ");
}

const PROFESSIONS = { F: "farmer", W: "fisherman", T: "woodcutter", R: "watchman" } as const;

/** Return the profession of a worker on a zone such as `F*`. */
export function professionOf(zone: string): LimesWorker["profession"] {
  return PROFESSIONS[zone[0] as Landscape];
}

export function professionAt({ zones }: LimesDisplay, zone: string): LimesWorker["profession"] {
  return professionOf(zones[zone] ?? "F");
}

/** Describe a worker action and the total after it. */
export function actionText(draft: LimesDraft, display: LimesDisplay, action: string, total: number): string {
  const name = t(`limes.profession.${professionAt(display, draft.zoneOf(action))}`);
  const zone = zoneLocationText(draft.zoneOf(action));
  if (action.startsWith("+")) return t("limes.place", { name, zone, n: total });
  return t("limes.move", { name, zone, from: zoneLocationText(action.split(">")[0]!), n: total });
}

/** Explain how to place or move a worker. */
export function workerHintText(supply: number): string {
  if (supply === 0) return t("limes.hint.empty");
  return t(touchInput.current ? "limes.hint.worker.touch" : "limes.hint.worker");
}

export function ratingText(rating: string): string {
  return t(`limes.rating.${rating.toLowerCase().replaceAll(" ", "-")}` as MessageKey);
}

/** Describe the outcome in one sentence. */
export function outcomeText({ end }: LimesView, names: readonly string[]): string {
  if (!end) return "";
  const best = Math.max(...end.totals);
  const winners = formatList(end.winners.map((seat) => names[seat] ?? ""));
  const values = { names: winners, you: grammaticalPerson(winners), n: best };
  if (end.kind !== "tie-break") return t(`limes.end.${end.kind}`, values);
  const winner = end.winners[0]!;
  const tied = end.totals.flatMap((total, seat) => (total === best && seat !== winner ? [seat] : []));
  const row = (seat: number) => end.rankings[seat]!.join(", ");
  const others = formatList(tied.map((seat) => `${names[seat]} ${row(seat)}`));
  return t("limes.end.tie-break", { ...values, row: row(winner), others });
}
