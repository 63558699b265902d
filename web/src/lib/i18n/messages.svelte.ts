/**
 * All texts of the page: `t("start.play")`, `t("games.all", { n: 3 })`.
 *
 * In a message `{name}` stands for a value and `{n|point|points}` for one of two words, chosen by the plural rules of the
 * language. The page loads one language at a time, and only the namespaces that `withMessages` has requested.
 */
import type { MessageKey, Namespace } from "../../messages/keys";
import { savePreference, loadPreference } from "$lib/storage/preferences";

export type { MessageKey, Namespace };
export type Values = Record<string, string | number>;
export const LANGUAGES = { en: "English", de: "Deutsch", fr: "Français" } as const;
export type Language = keyof typeof LANGUAGES;
type Messages = Record<MessageKey, string>;

const FILES = import.meta.glob<{ default: Partial<Messages> }>("../../messages/*/*.json");

/** The namespaces that are needed. */
const requested = new Set<Namespace>(["page"]);
/** The loaded namespaces and their language. They are not reactive, because an effect that loads a page must not depend on them. */
const loaded = new Set<Namespace>();
let loadedLanguage: Language = "en";
let language = $state<Language>("en");
/** The language that was requested last; it may not be loaded yet. */
let requestedLanguage: Language = "en";
let messages = $state.raw<Messages>({} as Messages);
let plurals = new Intl.PluralRules("en");
let lists = new Intl.ListFormat("en");

function supportedLanguage(tag: string | null): Language | undefined {
  const short = tag?.slice(0, 2).toLowerCase();
  return short && short in LANGUAGES ? (short as Language) : undefined;
}

/** Return the language that the player chose, else the first supported one of the browser. */
export function preferredLanguage(): Language {
  return supportedLanguage(loadPreference("language")) ?? navigator.languages.map(supportedLanguage).find((tag) => tag) ?? "en";
}

/** Load a language and show the page in it; with `store`, remember it. */
export async function setLanguage(newLanguage: Language, store = false): Promise<void> {
  requestedLanguage = newLanguage;
  try {
    await loadMessages();
  } catch (caught) {
    if (requestedLanguage === newLanguage) requestedLanguage = language;
    throw caught;
  }
  if (store && requestedLanguage === newLanguage) savePreference("language", newLanguage);
}

/** Load a module together with the messages that it uses. */
export async function withMessages<Module>(namespaces: readonly Namespace[], load: () => Promise<Module>): Promise<Module> {
  for (const namespace of namespaces) requested.add(namespace);
  const [module] = await Promise.all([load(), loadMessages()]);
  return module;
}

/** Load the messages of all requested namespaces in the language that was requested last. */
async function loadMessages(): Promise<void> {
  const target = requestedLanguage;
  const namespaces = [...requested].filter((namespace) => target !== loadedLanguage || !loaded.has(namespace));
  const files = await Promise.all(namespaces.map((namespace) => FILES[`../../messages/${target}/${namespace}.json`]!()));
  if (requestedLanguage !== target) return loadMessages();
  if (!namespaces.length) return;
  if (target !== loadedLanguage) loaded.clear();
  for (const namespace of namespaces) loaded.add(namespace);
  const added = Object.assign({}, ...files.map((file) => file.default)) as Messages;
  messages = target === loadedLanguage ? { ...messages, ...added } : added;
  plurals = new Intl.PluralRules(target);
  lists = new Intl.ListFormat(target);
  language = loadedLanguage = target;
  document.documentElement.lang = target;
}

export function currentLanguage(): Language {
  return language;
}

/** Return a message in the language of the page. */
export function t(key: MessageKey, values: Values = {}): string {
  return formatMessage(messages[key] ?? key, values, plurals);
}

/** Return a message, or null if there is none. A third-party game or a newer server may name unknown keys. */
export function translateIfKnown(key: string, values: Values = {}): string | null {
  return Object.hasOwn(messages, key) ? t(key as MessageKey, values) : null;
}

/** Put values into a text that is not in the message files. */
export function formatText(text: string, values: Values): string {
  return formatMessage(text, values, plurals);
}

/** Put values into a message, by the plural rules of its language. */
export function formatMessage(message: string, values: Values, rules: Intl.PluralRules): string {
  return message.replace(/\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g, (_, name: string, one?: string, other?: string) => {
    const value = values[name];
    if (one === undefined) return String(value ?? "");
    return (rules.select(Number(value)) === "one" ? one : other) ?? "";
  });
}

/** Join names for a sentence. */
export function formatList(names: readonly string[]): string {
  return lists.format(names);
}

/** Capitalize a text, unless it begins with a notation such as `e4`. */
export function capitalize(text: string): string {
  return /^\p{Ll}{2}/u.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}
