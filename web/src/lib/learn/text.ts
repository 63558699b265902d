/** The texts of tutorials, which are loaded when a tutorial is opened. */
import { formatText, translateIfKnown, type Values } from "$lib/i18n/messages.svelte";
import type { LessonFeedback } from "./lessonMatch.svelte";

export interface TutorialText {
  title: string;
  lessons: Record<string, { title: string; text: string; task: string; done: string }>;
  /** Feedback on wrong or illegal turns, by key. */
  feedback: Record<string, string>;
  /** The texts of the page after the lessons. */
  finale: Record<string, string>;
}

const TEXTS = import.meta.glob<{ default: TutorialText }>("../../learn/*.json");

/** Return the tutorial texts of a game, or null if it has none. */
export async function loadTutorialText(game: string, language: string): Promise<TutorialText | null> {
  return (await TEXTS[`../../learn/${game}.${language}.json`]?.())?.default ?? null;
}

/** Return feedback as a sentence. A value that begins with a colon is the key of a message. */
export function feedbackText(text: TutorialText, { key, values }: LessonFeedback): string {
  const texts: Values = {};
  for (const [name, value] of Object.entries(values)) {
    texts[name] = typeof value === "string" && value.startsWith(":") ? (translateIfKnown(value.slice(1)) ?? "") : value;
  }
  return formatText(text.feedback[key] ?? "", texts);
}
