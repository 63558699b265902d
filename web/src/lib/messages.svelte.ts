/**
 * Every word of the page comes from here: `t("start.play")`, `t("games.all", { n: 3 })`.
 *
 * In a message `{name}` stands for a value and `{n|point|points}` for one of two words, chosen by the plural rules of the
 * language. One language is loaded at a time.
 */
import type en from "../messages/en";
import { remember, remembered } from "./remember";

export type MessageKey = keyof typeof en;
export type Values = Record<string, string | number>;
export const LANGUAGES = { en: "English", de: "Deutsch", fr: "Français" } as const;
export type Language = keyof typeof LANGUAGES;
type Messages = Record<MessageKey, string>;

const LOADERS: Record<Language, () => Promise<{ default: Messages }>> = {
  en: () => import("../messages/en"),
  de: () => import("../messages/de"),
  fr: () => import("../messages/fr"),
};

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

/** The language the player chose, else the first of the browser's that we setLanguage. */
export function preferredLanguage(): Language {
  return known(remembered("language")) ?? navigator.languages.map(known).find((found) => found) ?? "en";
}

/** Load a language and show the page in it. */
export async function setLanguage(wanted: Language, keep = false): Promise<void> {
  asked = wanted;
  const loaded = await LOADERS[wanted]();
  if (asked !== wanted) return;
  messages = loaded.default;
  plurals = new Intl.PluralRules(wanted);
  lists = new Intl.ListFormat(wanted);
  language = wanted;
  document.documentElement.lang = wanted;
  if (keep) remember("language", wanted);
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
