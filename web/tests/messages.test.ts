import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse, type AST } from "svelte/compiler";
import { describe, expect, test, vi } from "vitest";
import { formatMessage, LANGUAGES, setLanguage, t, withMessages } from "../src/lib/i18n/messages.svelte";

const root = fileURLToPath(new URL("../src", import.meta.url));
const folder = join(root, "messages");

function loadMessageFiles(language: string): Record<string, string> {
  const files = readdirSync(join(folder, language)).map((name) => join(folder, language, name));
  return Object.assign({}, ...files.map((file) => JSON.parse(readFileSync(file, "utf8"))));
}

const sources = readdirSync(root, { recursive: true, encoding: "utf8" })
  .filter((name) => /\.(svelte|ts)$/.test(name) && !name.endsWith("api/types.ts"))
  .map((name) => ({ name, text: readFileSync(join(root, name), "utf8") }));
const english = loadMessageFiles("en");

/** Return the keys in the sources, and the prefixes of keys that are composed. */
function usedKeys(): { keys: Set<string>; prefixes: Set<string> } {
  const keys = new Set<string>();
  const prefixes = new Set<string>();
  for (const { text } of sources) {
    for (const [, key] of text.matchAll(/["'`]([a-z]+(?:\.[\w-]+)+)["'`]/g)) keys.add(key!);
    for (const [, start] of text.matchAll(/`([a-z]+\.(?:[\w-]+\.)*)\$\{/g)) prefixes.add(start!);
  }
  return { keys, prefixes };
}

describe("messages", () => {
  test.each(Object.keys(LANGUAGES))("%s has every message, with the same values in it", (language) => {
    const messages = loadMessageFiles(language);
    const values = (text: string) => [...new Set([...text.matchAll(/\{(\w+)/g)].map((match) => match[1]))].sort();
    expect(Object.keys(messages).sort()).toEqual(Object.keys(english).sort());
    for (const [key, text] of Object.entries(messages)) {
      expect(text.trim(), key).not.toBe("");
      expect(values(text), key).toEqual(values(english[key]!));
    }
  });

  test("French punctuation is not separated from its word by a breaking space", () => {
    const texts = ["messages/fr", "learn", "rules"].flatMap((folder) =>
      readdirSync(join(root, folder)).map((name) => join(root, folder, name)),
    );
    const french = texts.filter((path) => /\.fr\.json$|[/\\]fr[/\\]/.test(path));
    expect(french.length).toBeGreaterThan(10);
    for (const path of french) expect(readFileSync(path, "utf8").match(/.* [:;?!»].*|.*« .*/g), path).toBeNull();
  });

  test("every message is used", () => {
    const { keys, prefixes } = usedKeys();
    const unused = Object.keys(english).filter((key) => !keys.has(key) && ![...prefixes].some((start) => key.startsWith(start)));
    expect(unused).toEqual([]);
  });

  test("every requested message exists", () => {
    const requested = sources.flatMap(({ text }) =>
      [...text.replace(/\/\*.*?\*\//gs, "").matchAll(/\bt\(\s*["']([^"']+)["']/g)].map((match) => match[1]!),
    );
    expect(requested.filter((key) => !(key in english))).toEqual([]);
  });

  test("components contain no text outside the message files", () => {
    const offenders: string[] = [];
    for (const { name, text } of sources.filter(({ name }) => name.endsWith(".svelte"))) {
      for (const content of textsIn(parse(text, { modern: true }).fragment)) offenders.push(`${name}: ${content}`);
    }
    expect(offenders).toEqual([]);
  });

  test("a language change loads all namespaces, also one requested meanwhile", async () => {
    vi.stubGlobal("document", { documentElement: {} });
    await setLanguage("en");
    await withMessages(["replay"], () => Promise.resolve());
    const switching = setLanguage("de");
    await Promise.all([withMessages(["review"], () => Promise.resolve()), switching]);
    expect([t("page.menu"), t("replay.title"), t("review.title")]).toEqual(
      ["page.menu", "replay.title", "review.title"].map((key) => loadMessageFiles("de")[key]),
    );
    await setLanguage("en");
    expect(t("replay.title")).toBe(english["replay.title"]);
  });

  test("values and plurals", () => {
    const french = new Intl.PluralRules("fr");
    expect(formatMessage("{n} {n|point|points}", { n: 0 }, french)).toBe("0 point");
    expect(formatMessage("{n} {n|point|points}", { n: 0 }, new Intl.PluralRules("en"))).toBe("0 points");
  });
});

const TEXT_ATTRIBUTES = new Set(["aria-label", "title", "placeholder", "alt"]);
/** Names that are the same in every language. Single letters, which name keys and cells, are exempt too. */
const UNTRANSLATED = new Set(["limina"]);

function* textsIn(node: unknown): Generator<string> {
  if (Array.isArray(node)) {
    for (const part of node) yield* textsIn(part);
  } else if (node && typeof node === "object") {
    const { type, name, data, value } = node as AST.Text & AST.Attribute;
    const text = type === "Text" ? data : "";
    if (/\p{L}{2,}/u.test(text) && !UNTRANSLATED.has(text.replace(/[^\p{L}]+/gu, ""))) yield text.trim();
    if ((type as string) === "Attribute") {
      if (TEXT_ATTRIBUTES.has(name)) yield* textsIn(value);
      return;
    }
    for (const [key, part] of Object.entries(node)) if (key !== "expression" || type) yield* textsIn(part);
  }
}
