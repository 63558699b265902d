/** Names of bot levels. Hosted bots keep their names. */
import { capitalize, translateIfKnown } from "./messages.svelte";

/** Return the name of a level within a sentence. */
export function levelText(level: string): string {
  return translateIfKnown(`bot.${level}`) ?? level;
}

/** Return the name of a level with a capital letter, as for a list. */
export function levelTitle(level: string): string {
  const text = translateIfKnown(`bot.${level}`);
  return text === null ? level : capitalize(text);
}
