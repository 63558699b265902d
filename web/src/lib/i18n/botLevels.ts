/** What a bot's level is called. The host's own bots keep their names. */
import { capital, translation } from "./messages.svelte";

/** As a part of a sentence. */
export function levelWords(level: string): string {
  return translation(`bot.${level}`) ?? level;
}

/** Standing alone, as in a list to choose from. */
export function levelTitle(level: string): string {
  const words = translation(`bot.${level}`);
  return words === null ? level : capital(words);
}
