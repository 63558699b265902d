/** Decks as files: TOML with `name` and `cards`, as the command line reads and writes them. */
import { parse, TomlError } from "smol-toml";
import { PageError } from "$lib/app/errors";
import ours from "$art/limes/decks/limina-24.toml?raw";
import { readFaces, writeFace, type Face } from "./faces";

/** No deck's file is longer. */
export const MOST_CHARACTERS = 65_536;
const LONGEST_FACE = 11;

export interface Deck {
  name: string;
  faces: readonly Face[];
}

/** A deck as people bring it: a deck file, a list in JSON, or a face on each line; a `PageError` says what is wrong. */
export function readDeck(text: string): Deck {
  if (text.length > MOST_CHARACTERS) throw new PageError("decks.wrong.large");
  const content = text.trim();
  if (!content) throw new PageError("decks.wrong.nothing");
  if (/^\s*cards\s*=/m.test(content)) return readToml(content);
  if (content.startsWith("[") || content.startsWith("{")) return readJson(content);
  const lines = content.split("\n").map((line) => line.replace(/#.*/, "").replace(/["',]/g, " ").trim());
  return { name: "", faces: readFaces(lines.filter(Boolean)) };
}

function readToml(content: string): Deck {
  try {
    return named(parse(content));
  } catch (caught) {
    if (caught instanceof TomlError) throw new PageError("decks.wrong.line", { n: caught.line });
    throw caught;
  }
}

function readJson(content: string): Deck {
  let found: unknown;
  try {
    found = JSON.parse(content);
  } catch {
    throw new PageError("decks.wrong.file");
  }
  return named(Array.isArray(found) ? { cards: found } : (found as Record<string, unknown>));
}

function named({ name, cards, deck }: Record<string, unknown>): Deck {
  // The record of a game has its deck under another name.
  const written = cards ?? deck;
  if (!Array.isArray(written)) throw new PageError("decks.wrong.file");
  return { name: typeof name === "string" ? name : "", faces: readFaces(written) };
}

/** The text of a deck's file. */
export function writeDeck({ name, faces }: Deck): string {
  // What JSON writes is TOML too, but for one character.
  const title = JSON.stringify(name).replaceAll("\x7f", "\\u007f");
  const cards = faces.map(
    (face, i) => `  "${writeFace(face)}",${" ".repeat(LONGEST_FACE + 1 - writeFace(face).length)}# ${i + 1}\n`,
  );
  const words = "# A face is nw ne sw se: F field, W water, T forest, R rock with a tower; * is a hut.";
  return `${words}\nname = ${title}\ncards = [\n${cards.join("")}]\n`;
}

/** The deck that ships with limina. */
export const OURS: Deck = readDeck(ours);
