/** What those who sit at a table are called. */
import type { SeatState } from "./api";
import { levelWords } from "./bots";
import { t } from "./messages.svelte";

/** The colour and the sign of a seat, by which its pieces are told from others. */
export interface SeatMark {
  colour: string;
  sign: string;
}

export function seatName(seat: Pick<SeatState, "name" | "bot"> | undefined): string {
  return seat?.bot ? t("seat.bot", { level: levelWords(seat.bot) }) : (seat?.name ?? "");
}

/** A name as records have it, where bots are called `bot:level`. */
export function recordName(name: string): string {
  return name.startsWith("bot:") ? t("seat.bot", { level: levelWords(name.slice(4)) }) : name;
}
