/** What a bot's level is called. The host's own bots keep their names. */
import { capital, t, type Key } from "./messages.svelte";

const KNOWN: readonly string[] = ["random", "novice", "casual", "skilled", "master", "uct"];

/** As a part of a sentence. */
export function levelWords(level: string): string {
  return KNOWN.includes(level) ? t(`bot.${level}` as Key) : level;
}

/** Standing alone, as in a list to choose from. */
export function levelTitle(level: string): string {
  return KNOWN.includes(level) ? capital(levelWords(level)) : level;
}
