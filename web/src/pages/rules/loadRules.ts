/** The rules of a game: its words in a language, and its examples drawn by its own board. */
import { gameUi } from "../../games";

export interface RulesContent {
  title: string;
  lead: string;
  sections: {
    id: string;
    title: string;
    summary: string;
    details: string[];
    /** Which of the details are decisions of ours. */
    ruling: number[];
    examples: { id: string; caption: string }[];
  }[];
}

/** What `tools/generators/rule_examples.py` writes of an example. */
export interface DrawnExample {
  id: string;
  /** The game before the turn that it is about, whose turn that was, and what chance did afterwards. */
  play?: { record: { game: string; players: string[] }; player: number } | null;
}

const TEXTS = import.meta.glob<{ default: RulesContent }>("../../rules/*.json");
const EXAMPLES = import.meta.glob<{ default: DrawnExample[] }>("../../rules/examples/*.json");

export function hasRules(game: string, language: string): boolean {
  return `../../rules/${game}.${language}.json` in TEXTS;
}

/** Null if nobody has written any. */
export async function loadRules(game: string, language: string) {
  const text = TEXTS[`../../rules/${game}.${language}.json`];
  const examples = EXAMPLES[`../../rules/examples/${game}.json`];
  const { example } = gameUi(game);
  if (!text || !examples || !example) return null;
  const [{ default: words }, { default: drawn }, { default: Example }] = await Promise.all([text(), examples(), example()]);
  return { words, Example, drawn: new Map(drawn.map((each) => [each.id, each])) };
}
