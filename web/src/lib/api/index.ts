/** The server's API: types that are generated from its OpenAPI schema, and requests that fail with an error code. */
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

/** A failed request, with the server's error code. */
export class ApiError extends Error {
  constructor(
    readonly code: ErrorCode | "offline",
    /** The server's error text in English; may be empty. */
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

/** Send a request and return its successful response. Throws `ApiError`. */
export async function request(path: string, { method, body, tokens = [], signal }: RequestOptions = {}): Promise<Response> {
  const headers: Record<string, string> = {};
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (tokens.length) headers["Limina-Seat-Tokens"] = tokens.join(",");
  let response: Response;
  try {
    response = await fetch(`/api${path}`, {
      method: method ?? (body === undefined ? "GET" : "POST"),
      headers,
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ?? null,
    });
  } catch {
    throw new ApiError("offline");
  }
  if (response.ok) return response;
  const error = (await response.json().catch(() => null)) as { code?: ErrorCode; error?: string } | null;
  throw new ApiError(error?.code ?? "unavailable", error?.error ?? "");
}

/** Send a request and return the JSON of its response. Throws `ApiError`. */
export async function requestJson<T>(path: string, options: RequestOptions = {}): Promise<T> {
  const response = await request(path, options);
  return (await response.json().catch(() => {
    throw new ApiError("unavailable");
  })) as T;
}

let games: Promise<GameInfo[]> | undefined;

/** Return the games with their options and bots. They are requested once. */
export function loadGames(): Promise<GameInfo[]> {
  games ??= requestJson<GameInfo[]>("/games").catch((caught: unknown) => {
    games = undefined;
    throw caught;
  });
  return games;
}
