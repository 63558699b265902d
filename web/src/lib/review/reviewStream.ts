/** A review as the server tells it: one object a line, each as soon as it is known. */
import { requestJson, request } from "$lib/api";
import { readJsonLines } from "$lib/api/jsonLines";
import type { components } from "$lib/api/types";

type Schemas = components["schemas"];
export type ReviewLine = Schemas["ReviewLine"];
export type ReviewedTurn = Schemas["ReviewedTurn"];
export type Reason = Schemas["ReasonState"];
export type HintAnswer = Schemas["HintResponse"];
export type Advice = Schemas["AdviceResponse"];
export type ValueUnit = HintAnswer["unit"];

/** What is to be reviewed: a match by its id, or a record from a file. */
export type ReviewSource = { matchId: string; tokens: readonly string[] } | { record: unknown };

/** A turn of a review that is looked at on the board: beside the better one, or to be found by whoever looks. */
export interface SelectedTurn {
  as: "compare" | "try";
  turn: ReviewedTurn;
  unit: ValueUnit;
  /** Called by whoever would rather be told. */
  answer: () => void;
}

/** The record of what is reviewed; throws `ApiError`. */
export async function fetchRecord(source: ReviewSource): Promise<unknown> {
  if ("record" in source) return source.record;
  return requestJson<unknown>(`/matches/${encodeURIComponent(source.matchId)}/record`, { tokens: source.tokens });
}

/** The lines of a review; throws `ApiError`. Whoever stops listening must abort the signal, then the server stops too. */
export async function* streamReview(source: ReviewSource, signal: AbortSignal): AsyncGenerator<ReviewLine> {
  const answer = await ("record" in source
    ? request("/review", { body: source.record, signal })
    : request(`/matches/${encodeURIComponent(source.matchId)}/review`, { tokens: source.tokens, signal }));
  yield* readJsonLines<ReviewLine>(answer);
}
