/** What a bot's level is called. */
import { t, type Key } from "./messages.svelte";

const KNOWN = ["random", "novice", "casual", "skilled", "master", "uct"] as const;

export function levelWords(level: string): string {
  return (KNOWN as readonly string[]).includes(level) ? t(`bot.${level}` as Key) : level;
}
