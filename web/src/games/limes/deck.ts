/** A deck as people paste it: the TOML of a deck file, a JSON list, or a face on each line. The server judges it. */
export function readDeck(text: string): string[] | null {
  const content = text.replace(/#.*$/gm, "");
  if (!content.trim()) return null;
  const cards = content.includes("cards") ? content.slice(content.indexOf("cards")) : content;
  const quoted = [...cards.matchAll(/"([^"]*)"/g)].map((found) => found[1]!.trim());
  return quoted.length
    ? quoted
    : content
        .split("\n")
        .map((line) => line.trim())
        .filter(Boolean);
}
