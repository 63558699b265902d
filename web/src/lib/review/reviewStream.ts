/** Requests of reviews. The server streams a review as one JSON object per line. */
import { requestJson, request } from "$lib/api";
import { readJsonLines } from "$lib/api/jsonLines";
import type { components } from "$lib/api/types";

type Schemas = components["schemas"];
export type ReviewLine = Schemas["ReviewLine"];
export type ReviewedTurn = Schemas["ReviewedTurn"];
export type Reason = Schemas["ReasonState"];
export type HintAnswer = Schemas["HintResponse"];
export type Advice = Schemas["CompanionHintResponse"];
export type ValueUnit = HintAnswer["unit"];

/** The game to review: a match, or a record from a file. */
export type ReviewSource = { matchId: string; tokens: readonly string[] } | { record: unknown };

/** A reviewed turn that the board shows: compared with the best turn, or as a position to retry. */
export interface SelectedTurn {
  mode: "compare" | "retry";
  turn: ReviewedTurn;
  unit: ValueUnit;
  /** Show the best turn instead of trying to find it. */
  reveal: () => void;
}

/** Return the record of the game. Throws `ApiError`. */
export async function fetchRecord(source: ReviewSource): Promise<unknown> {
  if ("record" in source) return source.record;
  return requestJson<unknown>(`/matches/${encodeURIComponent(source.matchId)}/record`, { tokens: source.tokens });
}

/** Yield the lines of a review. Throws `ApiError`. Abort the signal to stop the review on the server. */
export async function* streamReview(source: ReviewSource, signal: AbortSignal): AsyncGenerator<ReviewLine> {
  const answer = await ("record" in source
    ? request("/review", { body: source.record, signal })
    : request(`/matches/${encodeURIComponent(source.matchId)}/review`, { tokens: source.tokens, signal }));
  yield* readJsonLines<ReviewLine>(answer);
}
