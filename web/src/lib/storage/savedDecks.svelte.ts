/** Decks that this browser keeps under a name: whose game, and the faces as they are written. What a face means only its game knows. */

export interface SavedDeck {
  readonly id: string;
  readonly game: string;
  readonly name: string;
  readonly faces: readonly string[];
}

const STORE = "limina.decks";
export const MOST_DECKS = 50;
export const LONGEST_NAME = 60;
/** Whatever stands there: no more of it is taken for a deck. */
const MOST_FACES = 200;
const LONGEST_FACE = 40;

let decks = $state.raw<readonly SavedDeck[]>(read());

if (typeof addEventListener === "function") {
  // Another tab has changed them.
  addEventListener("storage", (event) => {
    if (event.key === STORE || event.key === null) decks = read();
  });
}

/** The decks of a game, in the order they were made. */
export function savedDecks(game: string): readonly SavedDeck[] {
  return decks.filter((deck) => deck.game === game);
}

/** Whether one more can be kept. */
export function roomForDecks(): boolean {
  return decks.length < MOST_DECKS;
}

/** Keep a new deck; null where there are too many. Two decks of a game never have the same name. */
export function addDeck(game: string, name: string, faces: readonly string[]): SavedDeck | null {
  const there = latest();
  if (there.length >= MOST_DECKS) return null;
  const deck = { id: crypto.getRandomValues(new Uint32Array(2)).join("-"), game, name: freeName(there, game, name), faces };
  write([...there, deck]);
  return deck;
}

/** Change the faces or the name of a deck. */
export function changeDeck(id: string, change: { name?: string; faces?: readonly string[] }): void {
  const there = latest();
  const old = there.find((deck) => deck.id === id);
  if (!old) return;
  const others = there.filter((deck) => deck !== old);
  const name = change.name === undefined ? old.name : freeName(others, old.game, change.name.trim() || old.name);
  write(there.map((deck) => (deck === old ? { ...old, ...change, name } : deck)));
}

/** Delete a deck; what is returned puts it back where it was. */
export function removeDeck(id: string): () => void {
  const there = latest();
  const place = there.findIndex((deck) => deck.id === id);
  const gone = there[place];
  write(there.filter((deck) => deck.id !== id));
  return () => {
    const now = latest();
    if (!gone || now.some((deck) => deck.id === id)) return;
    write([...now.slice(0, place), { ...gone, name: freeName(now, gone.game, gone.name) }, ...now.slice(place)]);
  };
}

/** The name, or the name with a number where there is such a deck already. */
function freeName(there: readonly SavedDeck[], game: string, wanted: string): string {
  const name = wanted.trim().slice(0, LONGEST_NAME);
  const taken = new Set(there.filter((deck) => deck.game === game).map((deck) => deck.name));
  let free = name;
  for (let n = 2; taken.has(free); n++) free = `${name.slice(0, LONGEST_NAME - 4)} ${n}`;
  return free;
}

/** What is stored now, also by another tab; what this one knows where nothing is stored. */
function latest(): readonly SavedDeck[] {
  const found = read();
  return found.length || stores() ? found : decks;
}

function stores(): boolean {
  try {
    return localStorage.getItem(STORE) !== null;
  } catch {
    return false;
  }
}

function write(next: readonly SavedDeck[]): void {
  decks = next;
  try {
    localStorage.setItem(STORE, JSON.stringify(next));
  } catch {
    // A browser that stores nothing has them as long as the page is open.
  }
}

function read(): readonly SavedDeck[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(STORE) ?? "[]");
    return Array.isArray(found) ? found.filter(isDeck).slice(0, MOST_DECKS) : [];
  } catch {
    return [];
  }
}

function isDeck(found: unknown): found is SavedDeck {
  if (!found || typeof found !== "object") return false;
  const { id, game, name, faces } = found as Record<string, unknown>;
  const texts = [id, game, name].every((text) => typeof text === "string" && text.length <= LONGEST_NAME);
  return (
    texts &&
    Array.isArray(faces) &&
    faces.length <= MOST_FACES &&
    faces.every((face) => typeof face === "string" && face.length <= LONGEST_FACE)
  );
}
