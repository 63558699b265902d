/** The keys to my seats, kept by this browser. Whoever holds a key has the seat. */
import type { HeldSeat } from ".";

const STORE = "limina.keys";
const MOST = 200;
const MOST_BROUGHT = 8;

type Held = Record<string, Record<string, string>>;

function read(): Held {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(STORE) ?? "{}");
    return found && typeof found === "object" ? (found as Held) : {};
  } catch {
    return {};
  }
}

function write(held: Held): void {
  try {
    localStorage.setItem(STORE, JSON.stringify(held));
  } catch {
    // A browser that stores nothing still plays: the keys live as long as the page.
    memory = held;
  }
}

let memory: Held = {};

/** Keep the keys of a match. */
export function saveSeatTokens(match: string, keys: readonly HeldSeat[]): void {
  const held = { ...memory, ...read() };
  // The latest last, so that the oldest are forgotten first.
  const seats = { ...held[match] };
  delete held[match];
  for (const { seat_index, seat_token } of keys) seats[seat_index] = seat_token;
  const kept = Object.entries({ ...held, [match]: seats }).slice(-MOST);
  write(Object.fromEntries(kept));
}

/**
 * Keep those keys of a link that hold the seats it says, and no others: a link is written by anybody, and must neither
 * replace a key that works nor push others out. `seatsOf` asks the server which seats a key holds; what it cannot say
 * because it is not reached is thrown, and nothing was kept.
 */
export async function importSeatTokens(
  match: string,
  hash: string,
  seatsOf: (key: string) => Promise<readonly number[]>,
): Promise<void> {
  const found = [...hash.matchAll(/(?<![\w-])(\d)\.([\w-]{22,64})(?![\w-])/g)].slice(0, MOST_BROUGHT);
  const brought = found.map(([, seat, token]) => ({ seat_index: Number(seat), seat_token: token! }));
  const known = new Set(seatTokens(match));
  const unknown = brought.filter(({ seat_token }) => !known.has(seat_token));
  const held = await Promise.all(unknown.map(({ seat_token }) => seatsOf(seat_token)));
  const sound = unknown.filter(({ seat_index }, i) => held[i]?.includes(seat_index));
  if (sound.length) saveSeatTokens(match, sound);
}

/** The keys to my seats of a match. */
export function seatTokens(match: string): string[] {
  return Object.values({ ...memory, ...read() }[match] ?? {});
}

/** The seats and keys of a match, for taking them to another device. */
export function seatsWithTokens(match: string): HeldSeat[] {
  const seats = { ...memory, ...read() }[match] ?? {};
  return Object.entries(seats).map(([seat, token]) => ({ seat_index: Number(seat), seat_token: token }));
}

/** Every key, the latest first, each once. */
export function allSeatTokens(): string[] {
  const keys = Object.values({ ...memory, ...read() }).flatMap((seats) => Object.values(seats));
  return [...new Set(keys.reverse())].slice(0, MOST);
}

/** A secret nobody can guess. */
export function randomToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_");
}
