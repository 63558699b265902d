/** A review as the server tells it: one object a line, each as soon as it is known. */
import { Trouble, type ErrorCode } from "$lib/api";
import type { components } from "$lib/api/types";

type Schemas = components["schemas"];
export type ReviewLine = Schemas["ReviewLine"];
export type ReviewedTurn = Schemas["ReviewedTurn"];
export type Reason = Schemas["ReasonState"];
export type HintAnswer = Schemas["HintAnswer"];
export type Unit = HintAnswer["unit"];

/** What is to be reviewed: a match by its id, or a record from a file. */
export type Source = { match: string; keys: readonly string[] } | { record: unknown };

/** The lines of a review; throws `Trouble`. Whoever stops listening must abort the signal, then the server stops too. */
export async function* reviewLines(source: Source, signal: AbortSignal): AsyncGenerator<ReviewLine> {
  const answer = await begin(source, signal);
  if (!answer.ok || !answer.body) {
    const said = (await answer.json().catch(() => null)) as { code?: ErrorCode; error?: string } | null;
    throw new Trouble(said?.code ?? "unavailable", said?.error ?? "");
  }
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  while (true) {
    const { done, value } = await reader.read().catch(() => {
      throw new Trouble("offline");
    });
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield JSON.parse(line) as ReviewLine;
  }
}

async function begin(source: Source, signal: AbortSignal): Promise<Response> {
  try {
    if ("record" in source) {
      const headers = { "Content-Type": "application/json" };
      return await fetch("/api/review", { method: "POST", headers, body: JSON.stringify(source.record), signal });
    }
    const headers: Record<string, string> = source.keys.length ? { "Limina-Keys": source.keys.join(",") } : {};
    return await fetch(`/api/matches/${encodeURIComponent(source.match)}/review`, { headers, signal });
  } catch {
    throw new Trouble("offline");
  }
}
