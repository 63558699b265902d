/** Deck files: TOML with `name` and `cards`, the same format as on the command line. */
import { parse, TomlError } from "smol-toml";
import { PageError } from "$lib/app/errors";
import defaultDeckFile from "$art/limes/decks/limina-24.toml?raw";
import { formatFace, parseFaces, type Face } from "./faces";

/** Longer deck files are rejected. */
export const MAX_FILE_CHARACTERS = 65_536;
/** Length of `F* F* F* F*`, to which faces are padded in a file. */
const MAX_FACE_CHARACTERS = 11;

export interface Deck {
  name: string;
  faces: readonly Face[];
}

/** Parse a deck: a TOML deck file, JSON, or plain text with a face on each line. Throws a `PageError` if it is invalid. */
export function parseDeck(text: string): Deck {
  if (text.length > MAX_FILE_CHARACTERS) throw new PageError("decks.error.large");
  const content = text.trim();
  if (!content) throw new PageError("decks.error.empty");
  if (/^\s*cards\s*=/m.test(content)) return parseToml(content);
  if (content.startsWith("[") || content.startsWith("{")) return parseJson(content);
  const lines = content.split("\n").map((line) => line.replace(/#.*/, "").replace(/["',]/g, " ").trim());
  return { name: "", faces: parseFaces(lines.filter(Boolean)) };
}

function parseToml(content: string): Deck {
  try {
    return toDeck(parse(content));
  } catch (caught) {
    if (caught instanceof TomlError) throw new PageError("decks.error.line", { n: caught.line });
    throw caught;
  }
}

function parseJson(content: string): Deck {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch {
    throw new PageError("decks.error.file");
  }
  return toDeck(Array.isArray(value) ? { cards: value } : (value as Record<string, unknown>));
}

function toDeck({ name, cards, deck }: Record<string, unknown>): Deck {
  // A record of a game has its deck in the field `deck`.
  const faces = cards ?? deck;
  if (!Array.isArray(faces)) throw new PageError("decks.error.file");
  return { name: typeof name === "string" ? name : "", faces: parseFaces(faces) };
}

/** Return the text of the deck's file. */
export function formatDeck({ name, faces }: Deck): string {
  // A JSON string is a valid TOML string, except that TOML requires the character DEL to be escaped.
  const title = JSON.stringify(name).replaceAll("\x7f", "\\u007f");
  const cards = faces.map(
    (face, i) => `  "${formatFace(face)}",${" ".repeat(MAX_FACE_CHARACTERS + 1 - formatFace(face).length)}# ${i + 1}\n`,
  );
  const comment = "# A face is nw ne sw se: F field, W water, T forest, R rock with a tower; * is a hut.";
  return `${comment}\nname = ${title}\ncards = [\n${cards.join("")}]\n`;
}

/** The deck that ships with limina. */
export const DEFAULT_DECK: Deck = parseDeck(defaultDeckFile);
