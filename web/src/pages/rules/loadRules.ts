/** The rules of a game: the text in a language, and the examples. */
import { gameUi } from "../../games";

export interface RulesFile {
  title: string;
  lead: string;
  sections: {
    id: string;
    title: string;
    summary: string;
    details: string[];
    /** The indices of the details that are rulings of limina. */
    ruling: number[];
    examples: { id: string; caption: string }[];
  }[];
}

/** An example of the rules, as `tools/generators/rule_examples.py` writes it. */
export interface DrawnExample {
  id: string;
  /** The record before the turn that the example shows, and its player. */
  play?: { record: { game: string; players: string[] }; player: number } | null;
}

const TEXTS = import.meta.glob<{ default: RulesFile }>("../../rules/*.json");
const EXAMPLES = import.meta.glob<{ default: DrawnExample[] }>("../../rules/examples/*.json");

export function hasRules(game: string, language: string): boolean {
  return `../../rules/${game}.${language}.json` in TEXTS;
}

/** Return the rules of a game and the component that draws its examples; null if it has no rules in this language. */
export async function loadRules(game: string, language: string) {
  const loadText = TEXTS[`../../rules/${game}.${language}.json`];
  const loadExamples = EXAMPLES[`../../rules/examples/${game}.json`];
  const { example: loadExample } = gameUi(game);
  if (!loadText || !loadExamples || !loadExample) return null;
  const [{ default: text }, { default: examples }, { default: Example }] = await Promise.all([
    loadText(),
    loadExamples(),
    loadExample(),
  ]);
  return { text, Example, examples: new Map(examples.map((example) => [example.id, example])) };
}
