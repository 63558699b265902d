/** The wire in the words of the server: types made from its own document, requests that fail with a code. */
import type { components } from "./types";

export type Schemas = components["schemas"];
export type GameInfo = Schemas["GameInfo"];
export type OptionInfo = Schemas["OptionInfo"];
export type MatchState = Schemas["MatchState"];
export type MatchSummary = Schemas["MatchSummary"];
export type SeatState = Schemas["SeatState"];
export type StepState = Schemas["StepState"];
export type NewMatch = Schemas["NewMatch"];
export type NewSeat = Schemas["NewSeat"];
export type HeldSeat = Schemas["HeldSeat"];
export type JoinedMatch = Schemas["JoinedMatch"];
export type Replay = Schemas["Replay"];
export type Frame = Schemas["Frame"];
export type PositionResponse = Schemas["PositionResponse"];
export type PositionRequest = Schemas["PositionRequest"];
export type EvaluateResponse = Schemas["EvaluateResponse"];
export type ClientMessage = Schemas["ClientMessage"];
export type ServerMessage = Schemas["ServerMessage"];
export type UpdateMessage = Schemas["UpdateMessage"];
export type ErrorCode = Schemas["Error"]["code"];

/** What went wrong, by the server's word for it. */
export class ApiError extends Error {
  constructor(
    readonly code: ErrorCode | "offline",
    /** The server's own sentence, in English; empty if it said none. */
    readonly detail = "",
  ) {
    super(detail || code);
  }
}

interface RequestOptions {
  method?: "GET" | "POST";
  body?: unknown;
  tokens?: readonly string[];
  signal?: AbortSignal;
}

/** The server's answer, if it is a good one; throws `ApiError`. */
export async function request(path: string, { method, body, tokens = [], signal }: RequestOptions = {}): Promise<Response> {
  const headers: Record<string, string> = {};
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (tokens.length) headers["Limina-Seat-Tokens"] = tokens.join(",");
  let answer: Response;
  try {
    answer = await fetch(`/api${path}`, {
      method: method ?? (body === undefined ? "GET" : "POST"),
      headers,
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ?? null,
    });
  } catch {
    throw new ApiError("offline");
  }
  if (answer.ok) return answer;
  const error = (await answer.json().catch(() => null)) as { code?: ErrorCode; error?: string } | null;
  throw new ApiError(error?.code ?? "unavailable", error?.error ?? "");
}

/** What the server says; throws `ApiError`. */
export async function requestJson<T>(path: string, asked: RequestOptions = {}): Promise<T> {
  const answer = await request(path, asked);
  return (await answer.json().catch(() => {
    throw new ApiError("unavailable");
  })) as T;
}

let games: Promise<GameInfo[]> | undefined;

/** The games and what can be chosen; asked once. */
export function loadGames(): Promise<GameInfo[]> {
  games ??= requestJson<GameInfo[]>("/games").catch((caught: unknown) => {
    games = undefined;
    throw caught;
  });
  return games;
}
