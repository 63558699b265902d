/** The seat tokens of this browser, in local storage. A seat token proves that a seat is yours. */
import type { HeldSeat } from ".";

const STORAGE_KEY = "limina.keys";
const MAX_MATCHES = 200;
const MAX_IMPORTED_TOKENS = 8;

/** Seat tokens by match id and seat index, the latest match last. */
type StoredTokens = Record<string, Record<string, string>>;

/** Used where the browser does not store anything: the tokens last until the page is closed. */
let memory: StoredTokens = {};

function loadTokens(): StoredTokens {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "{}");
    return { ...memory, ...(stored && typeof stored === "object" ? (stored as StoredTokens) : {}) };
  } catch {
    return { ...memory };
  }
}

function storeTokens(tokens: StoredTokens): void {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(tokens));
  } catch {
    memory = tokens;
  }
}

/** Save seat tokens of a match. The oldest matches above `MAX_MATCHES` are removed. */
export function saveSeatTokens(matchId: string, seats: readonly HeldSeat[]): void {
  const { [matchId]: oldTokens, ...others } = loadTokens();
  const newTokens = Object.fromEntries(seats.map(({ seat_index, seat_token }) => [seat_index, seat_token]));
  const all = { ...others, [matchId]: { ...oldTokens, ...newTokens } };
  storeTokens(Object.fromEntries(Object.entries(all).slice(-MAX_MATCHES)));
}

/**
 * Save the seat tokens of a link that hold the seats it names. Anyone can write a link, so its other tokens must neither replace
 * valid ones nor evict other matches. `seatsOf` asks the server for the seats of a token. If it throws, nothing is saved.
 */
export async function importSeatTokens(
  matchId: string,
  hash: string,
  seatsOf: (token: string) => Promise<readonly number[]>,
): Promise<void> {
  const matches = [...hash.matchAll(/(?<![\w-])(\d)\.([\w-]{22,64})(?![\w-])/g)].slice(0, MAX_IMPORTED_TOKENS);
  const linkedSeats = matches.map(([, seat, token]) => ({ seat_index: Number(seat), seat_token: token! }));
  const knownTokens = new Set(seatTokens(matchId));
  const newSeats = linkedSeats.filter(({ seat_token }) => !knownTokens.has(seat_token));
  const seatIndices = await Promise.all(newSeats.map(({ seat_token }) => seatsOf(seat_token)));
  const validSeats = newSeats.filter(({ seat_index }, i) => seatIndices[i]?.includes(seat_index));
  if (validSeats.length) saveSeatTokens(matchId, validSeats);
}

/** Return the seat tokens of a match. */
export function seatTokens(matchId: string): string[] {
  return Object.values(loadTokens()[matchId] ?? {});
}

/** Return the seats of a match with their tokens, for a link to another device. */
export function seatsWithTokens(matchId: string): HeldSeat[] {
  const tokens = loadTokens()[matchId] ?? {};
  return Object.entries(tokens).map(([seat, token]) => ({ seat_index: Number(seat), seat_token: token }));
}

/** Return all seat tokens without duplicates, those of the latest match first. */
export function allSeatTokens(): string[] {
  const tokens = Object.values(loadTokens()).flatMap((seats) => Object.values(seats));
  return [...new Set(tokens.reverse())].slice(0, MAX_MATCHES);
}

/** Return a random token that cannot be guessed. */
export function randomToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_");
}
