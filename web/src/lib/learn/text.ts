/** The words of a tutorial, in the language of the page; loaded when somebody learns. */
import { filled, translation, type Values } from "$lib/i18n/messages.svelte";
import type { Why } from "./lessonMatch.svelte";

export interface LearnText {
  title: string;
  lessons: Record<string, { title: string; text: string; task: string; done: string }>;
  /** What is said of what does not lead to the goal, or is not allowed. */
  why: Record<string, string>;
  /** What follows the lessons. */
  finale: Record<string, string>;
}

const TEXTS = import.meta.glob<{ default: LearnText }>("../../learn/*.json");

/** Null if nobody has written any for this game. */
export async function learnText(game: string, language: string): Promise<LearnText | null> {
  return (await TEXTS[`../../learn/${game}.${language}.json`]?.())?.default ?? null;
}

/** A value that begins with a colon names a word. */
export function whyWords(text: LearnText, { key, values }: Why): string {
  const known: Values = {};
  for (const [name, value] of Object.entries(values)) {
    known[name] = typeof value === "string" && value.startsWith(":") ? (translation(value.slice(1)) ?? "") : value;
  }
  return filled(text.why[key] ?? "", known);
}
