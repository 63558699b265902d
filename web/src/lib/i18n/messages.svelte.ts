/**
 * Every word of the page comes from here: `t("start.play")`, `t("games.all", { n: 3 })`.
 *
 * In a message `{name}` stands for a value and `{n|point|points}` for one of two words, chosen by the plural rules of the
 * language. One language is loaded at a time, and of it the rooms that were entered: `withWords` opens one.
 */
import type { MessageKey, Room } from "../../messages/keys";
import { remember, remembered } from "$lib/storage/preferences";

export type { MessageKey };
export type Values = Record<string, string | number>;
export const LANGUAGES = { en: "English", de: "Deutsch", fr: "Français" } as const;
export type Language = keyof typeof LANGUAGES;
type Messages = Record<MessageKey, string>;

const FILES = import.meta.glob<{ default: Partial<Messages> }>("../../messages/*.json");

/** The rooms whose words are needed. */
const entered = new Set<Room>(["page"]);
/** Those of them whose words are there, and the language they are in: whoever loads a page is not to follow it. */
const spoken = new Set<Room>();
let spokenIn: Language = "en";
let language = $state<Language>("en");
/** The language that was asked for last, and may still be on its way. */
let asked: Language = "en";
let messages = $state.raw<Messages>({} as Messages);
let plurals = new Intl.PluralRules("en");
let lists = new Intl.ListFormat("en");

function known(tag: string | null): Language | undefined {
  const short = tag?.slice(0, 2).toLowerCase();
  return short && short in LANGUAGES ? (short as Language) : undefined;
}

/** The language the player chose, else the first of the browser's that we speak. */
export function preferredLanguage(): Language {
  return known(remembered("language")) ?? navigator.languages.map(known).find((found) => found) ?? "en";
}

/** Load a language and show the page in it. */
export async function setLanguage(wanted: Language, keep = false): Promise<void> {
  asked = wanted;
  try {
    await speak();
  } catch (caught) {
    if (asked === wanted) asked = language;
    throw caught;
  }
  if (keep && asked === wanted) remember("language", wanted);
}

/** What is loaded, once the words that it speaks in are there too. */
export async function withWords<Found>(rooms: readonly Room[], load: () => Promise<Found>): Promise<Found> {
  for (const room of rooms) entered.add(room);
  const [found] = await Promise.all([load(), speak()]);
  return found;
}

/** Have the words of all rooms that were entered, in the language that was asked for last. */
async function speak(): Promise<void> {
  const wanted = asked;
  const rooms = [...entered].filter((room) => wanted !== spokenIn || !spoken.has(room));
  const files = await Promise.all(rooms.map((room) => FILES[`../../messages/${room}.${wanted}.json`]!()));
  if (asked !== wanted) return speak();
  if (!rooms.length) return;
  if (wanted !== spokenIn) spoken.clear();
  for (const room of rooms) spoken.add(room);
  const found = Object.assign({}, ...files.map((file) => file.default)) as Messages;
  // Whoever entered another room meanwhile may have been faster.
  messages = wanted === spokenIn ? { ...messages, ...found } : found;
  plurals = new Intl.PluralRules(wanted);
  lists = new Intl.ListFormat(wanted);
  language = spokenIn = wanted;
  document.documentElement.lang = wanted;
}

export function currentLanguage(): Language {
  return language;
}

/** A message in the language of the page. */
export function t(key: MessageKey, values: Values = {}): string {
  return fill(messages[key] ?? key, values, plurals);
}

/** A message that a server of another version, or a stranger's game, may ask for though it is not there; null then. */
export function translation(key: string, values: Values = {}): string | null {
  return Object.hasOwn(messages, key) ? t(key as MessageKey, values) : null;
}

/** A text that is no message of the page, with its values, by the plural rules of the page's language. */
export function filled(text: string, values: Values): string {
  return fill(text, values, plurals);
}

/** Put values into a message. */
export function fill(message: string, values: Values, rules: Intl.PluralRules): string {
  return message.replace(/\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g, (_, name: string, one?: string, other?: string) => {
    const value = values[name];
    if (one === undefined) return String(value ?? "");
    return (rules.select(Number(value)) === "one" ? one : other) ?? "";
  });
}

/** Names as a sentence lists them. */
export function list(names: readonly string[]): string {
  return lists.format(names);
}

/** With a capital at its beginning; a turn of the notation keeps its small letters. */
export function capital(said: string): string {
  return /^\p{Ll}{2}/u.test(said) ? said.charAt(0).toUpperCase() + said.slice(1) : said;
}
