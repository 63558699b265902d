/** The keys to my seats, kept by this browser. Whoever holds a key has the seat. */
import type { HeldSeat } from ".";

const STORE = "limina.keys";
const MOST = 200;

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
export function keepKeys(match: string, keys: readonly HeldSeat[]): void {
  const held = { ...memory, ...read() };
  // The latest last, so that the oldest are forgotten first.
  const seats = { ...held[match] };
  delete held[match];
  for (const { seat, key } of keys) seats[seat] = key;
  const kept = Object.entries({ ...held, [match]: seats }).slice(-MOST);
  write(Object.fromEntries(kept));
}

/** The keys to my seats of a match. */
export function keysOf(match: string): string[] {
  return Object.values({ ...memory, ...read() }[match] ?? {});
}

/** The seats and keys of a match, for taking them to another device. */
export function heldSeats(match: string): HeldSeat[] {
  const seats = { ...memory, ...read() }[match] ?? {};
  return Object.entries(seats).map(([seat, key]) => ({ seat: Number(seat), key }));
}

/** Every key, the latest first, each once. */
export function allKeys(): string[] {
  const keys = Object.values({ ...memory, ...read() }).flatMap((seats) => Object.values(seats));
  return [...new Set(keys.reverse())].slice(0, MOST);
}

/** A secret nobody can guess. */
export function secret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_");
}
