/**
 * Every word of the page comes from here: `t("start.play")`, `t("games.all", { n: 3 })`.
 *
 * In a message `{name}` stands for a value and `{n|point|points}` for one of two words, chosen by the plural rules of the
 * language. One language is loaded at a time, and of it the namespaces that were requested: `withMessages` requests some.
 */
import type { MessageKey, Namespace } from "../../messages/keys";
import { savePreference, loadPreference } from "$lib/storage/preferences";

export type { MessageKey, Namespace };
export type Values = Record<string, string | number>;
export const LANGUAGES = { en: "English", de: "Deutsch", fr: "Français" } as const;
export type Language = keyof typeof LANGUAGES;
type Messages = Record<MessageKey, string>;

const FILES = import.meta.glob<{ default: Partial<Messages> }>("../../messages/*/*.json");

/** The namespaces whose messages are needed. */
const requested = new Set<Namespace>(["page"]);
/** The namespaces that are loaded, and their language. Not a state: code that loads a page must not depend on it. */
const loaded = new Set<Namespace>();
let loadedLanguage: Language = "en";
let language = $state<Language>("en");
/** The language that was asked for last, and may still be on its way. */
let requestedLanguage: Language = "en";
let messages = $state.raw<Messages>({} as Messages);
let plurals = new Intl.PluralRules("en");
let lists = new Intl.ListFormat("en");

function supportedLanguage(tag: string | null): Language | undefined {
  const short = tag?.slice(0, 2).toLowerCase();
  return short && short in LANGUAGES ? (short as Language) : undefined;
}

/** The language the player chose, else the first of the browser's that we speak. */
export function preferredLanguage(): Language {
  return (
    supportedLanguage(loadPreference("language")) ?? navigator.languages.map(supportedLanguage).find((found) => found) ?? "en"
  );
}

/** Load a language and show the page in it. */
export async function setLanguage(wanted: Language, keep = false): Promise<void> {
  requestedLanguage = wanted;
  try {
    await loadMessages();
  } catch (caught) {
    if (requestedLanguage === wanted) requestedLanguage = language;
    throw caught;
  }
  if (keep && requestedLanguage === wanted) savePreference("language", wanted);
}

/** Load a module together with the messages that it uses. */
export async function withMessages<Found>(namespaces: readonly Namespace[], load: () => Promise<Found>): Promise<Found> {
  for (const namespace of namespaces) requested.add(namespace);
  const [found] = await Promise.all([load(), loadMessages()]);
  return found;
}

/** Load the messages of all requested namespaces in the language that was requested last. */
async function loadMessages(): Promise<void> {
  const wanted = requestedLanguage;
  const namespaces = [...requested].filter((namespace) => wanted !== loadedLanguage || !loaded.has(namespace));
  const files = await Promise.all(namespaces.map((namespace) => FILES[`../../messages/${wanted}/${namespace}.json`]!()));
  if (requestedLanguage !== wanted) return loadMessages();
  if (!namespaces.length) return;
  if (wanted !== loadedLanguage) loaded.clear();
  for (const namespace of namespaces) loaded.add(namespace);
  const found = Object.assign({}, ...files.map((file) => file.default)) as Messages;
  // Another namespace may have been loaded in the meantime.
  messages = wanted === loadedLanguage ? { ...messages, ...found } : found;
  plurals = new Intl.PluralRules(wanted);
  lists = new Intl.ListFormat(wanted);
  language = loadedLanguage = wanted;
  document.documentElement.lang = wanted;
}

export function currentLanguage(): Language {
  return language;
}

/** A message in the language of the page. */
export function t(key: MessageKey, values: Values = {}): string {
  return formatMessage(messages[key] ?? key, values, plurals);
}

/** A message that a server of another version, or a stranger's game, may ask for though it is not there; null then. */
export function translateIfKnown(key: string, values: Values = {}): string | null {
  return Object.hasOwn(messages, key) ? t(key as MessageKey, values) : null;
}

/** A text that is no message of the page, with its values, by the plural rules of the page's language. */
export function formatText(text: string, values: Values): string {
  return formatMessage(text, values, plurals);
}

/** Put values into a message. */
export function formatMessage(message: string, values: Values, rules: Intl.PluralRules): string {
  return message.replace(/\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g, (_, name: string, one?: string, other?: string) => {
    const value = values[name];
    if (one === undefined) return String(value ?? "");
    return (rules.select(Number(value)) === "one" ? one : other) ?? "";
  });
}

/** Names as a sentence lists them. */
export function formatList(names: readonly string[]): string {
  return lists.format(names);
}

/** With a capital at its beginning; a turn of the notation keeps its small letters. */
export function capitalize(said: string): string {
  return /^\p{Ll}{2}/u.test(said) ? said.charAt(0).toUpperCase() + said.slice(1) : said;
}
