/** What those who sit at a table are called. */
import type { SeatState } from "$lib/api";
import { levelText } from "./botLevels";
import { t } from "./messages.svelte";

/** The color and the sign of a seat, by which its pieces are told from others. */
export interface SeatMark {
  color: string;
  sign: string;
}

/** What bots are called, by their seats: the same in result, list and replay. */
const BOT_NAMES = ["Livia", "Marcus", "Aelia", "Titus", "Julia", "Gaius", "Flavia", "Quintus"] as const;

/** What whoever gave no name is called in a game that they play alone or against bots, in any of our languages. */
const YOU_NAMES: readonly string[] = ["You", "Du", "Vous"];

/** As many characters as the name of a player in a match may have. */
const MAX_NAME_LENGTH = 40;

type SeatOccupant = Pick<SeatState, "name" | "bot">;

const botName = (index: number) => BOT_NAMES.at((index - 1) % BOT_NAMES.length)!;
const personName = (name: string) => (YOU_NAMES.includes(name) ? t("seat.you") : name);

/** A name as a part of a sentence. */
export function seatName(seat: SeatOccupant | undefined, index: number): string {
  return seat?.bot ? botName(index) : personName(seat?.name ?? "");
}

/** A name standing alone: with a bot's level. */
export function seatNameWithLevel(seat: SeatOccupant, index: number): string {
  return seat.bot ? t("seat.bot", { name: botName(index), level: levelText(seat.bot) }) : personName(seat.name ?? "");
}

/** Who sat at a seat, of a record's name for them, where bots are called `bot:level`. A long name ends in dots. */
export function seatFromRecordName(name: string): SeatOccupant {
  const bot = name.startsWith("bot:");
  const letters = [...(bot ? name.slice(4) : name)];
  const shown = letters.length > MAX_NAME_LENGTH ? `${letters.slice(0, MAX_NAME_LENGTH - 1).join("")}…` : letters.join("");
  return bot ? { name: "", bot: shown } : { name: shown, bot: null };
}

/** For messages with `{you|are|is}`: which of both fits a name. */
export function grammaticalPerson(name: string): number {
  return name === t("seat.you") ? 1 : 2;
}
