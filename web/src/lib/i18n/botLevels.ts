/** What a bot's level is called. The host's own bots keep their names. */
import { capitalize, translateIfKnown } from "./messages.svelte";

/** As a part of a sentence. */
export function levelText(level: string): string {
  return translateIfKnown(`bot.${level}`) ?? level;
}

/** Standing alone, as in a list to choose from. */
export function levelTitle(level: string): string {
  const words = translateIfKnown(`bot.${level}`);
  return words === null ? level : capitalize(words);
}
