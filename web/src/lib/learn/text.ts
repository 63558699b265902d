/** The words of a tutorial, in the language of the page; loaded when somebody learns. */
import { formatText, translateIfKnown, type Values } from "$lib/i18n/messages.svelte";
import type { LessonFeedback } from "./lessonMatch.svelte";

export interface TutorialText {
  title: string;
  lessons: Record<string, { title: string; text: string; task: string; done: string }>;
  /** What is said of what does not lead to the goal, or is not allowed. */
  why: Record<string, string>;
  /** What follows the lessons. */
  finale: Record<string, string>;
}

const TEXTS = import.meta.glob<{ default: TutorialText }>("../../learn/*.json");

/** Null if nobody has written any for this game. */
export async function loadTutorialText(game: string, language: string): Promise<TutorialText | null> {
  return (await TEXTS[`../../learn/${game}.${language}.json`]?.())?.default ?? null;
}

/** A value that begins with a colon names a word. */
export function feedbackText(text: TutorialText, { key, values }: LessonFeedback): string {
  const known: Values = {};
  for (const [name, value] of Object.entries(values)) {
    known[name] = typeof value === "string" && value.startsWith(":") ? (translateIfKnown(value.slice(1)) ?? "") : value;
  }
  return formatText(text.why[key] ?? "", known);
}
