/** Names of the players and bots of a match. */
import type { SeatState } from "$lib/api";
import { levelText } from "./botLevels";
import { t } from "./messages.svelte";

/** The color and sign that identify the pieces of a seat. */
export interface SeatMark {
  color: string;
  sign: string;
}

/** Names of bots by seat, the same everywhere on the page. */
const BOT_NAMES = ["Livia", "Marcus", "Aelia", "Titus", "Julia", "Gaius", "Flavia", "Quintus"] as const;

/** The names in all languages of a player who entered none, in a match alone or against bots. The page shows its own. */
const YOU_NAMES: readonly string[] = ["You", "Du", "Vous"];

/** The maximum length of a player's name on the server. */
const MAX_NAME_LENGTH = 40;

type SeatOccupant = Pick<SeatState, "name" | "bot">;

const botName = (index: number) => BOT_NAMES.at((index - 1) % BOT_NAMES.length)!;
const personName = (name: string) => (YOU_NAMES.includes(name) ? t("seat.you") : name);

/** Return the name of a seat within a sentence. */
export function seatName(seat: SeatOccupant | undefined, index: number): string {
  return seat?.bot ? botName(index) : personName(seat?.name ?? "");
}

/** Return the name of a seat, with the level of a bot. */
export function seatNameWithLevel(seat: SeatOccupant, index: number): string {
  return seat.bot ? t("seat.bot", { name: botName(index), level: levelText(seat.bot) }) : personName(seat.name ?? "");
}

/** Parse a player's name in a record, which is `bot:LEVEL` for a bot. A long name is cut. */
export function seatFromRecordName(name: string): SeatOccupant {
  const bot = name.startsWith("bot:");
  const characters = [...(bot ? name.slice(4) : name)];
  const short =
    characters.length > MAX_NAME_LENGTH ? `${characters.slice(0, MAX_NAME_LENGTH - 1).join("")}…` : characters.join("");
  return bot ? { name: "", bot: short } : { name: short, bot: null };
}

/** Return the value of `you` in messages with `{you|are|is}` for a name. */
export function grammaticalPerson(name: string): number {
  return name === t("seat.you") ? 1 : 2;
}
