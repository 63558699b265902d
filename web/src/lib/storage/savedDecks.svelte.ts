/** Decks that this browser keeps under a name: whose game, and the faces as they are written. What a face means only its game knows. */

export interface SavedDeck {
  readonly id: string;
  readonly game: string;
  readonly name: string;
  readonly faces: readonly string[];
}

const STORAGE_KEY = "limina.decks";
export const MAX_DECKS = 50;
export const MAX_DECK_NAME_LENGTH = 60;
/** Whatever stands there: no more of it is taken for a deck. */
const MAX_FACES = 200;
const MAX_FACE_LENGTH = 40;

let decks = $state.raw<readonly SavedDeck[]>(loadDecks());

if (typeof addEventListener === "function") {
  // Another tab has changed them.
  addEventListener("storage", (event) => {
    if (event.key === STORAGE_KEY || event.key === null) decks = loadDecks();
  });
}

/** The decks of a game, in the order they were made. */
export function savedDecks(game: string): readonly SavedDeck[] {
  return decks.filter((deck) => deck.game === game);
}

/** Whether one more can be kept. */
export function canAddDeck(): boolean {
  return decks.length < MAX_DECKS;
}

/** Keep a new deck; null where there are too many. Two decks of a game never have the same name. */
export function addDeck(game: string, name: string, faces: readonly string[]): SavedDeck | null {
  const stored = latestDecks();
  if (stored.length >= MAX_DECKS) return null;
  const deck = { id: crypto.getRandomValues(new Uint32Array(2)).join("-"), game, name: uniqueName(stored, game, name), faces };
  storeDecks([...stored, deck]);
  return deck;
}

/** Change the faces or the name of a deck. */
export function updateDeck(id: string, change: { name?: string; faces?: readonly string[] }): void {
  const stored = latestDecks();
  const old = stored.find((deck) => deck.id === id);
  if (!old) return;
  const others = stored.filter((deck) => deck !== old);
  const name = change.name === undefined ? old.name : uniqueName(others, old.game, change.name.trim() || old.name);
  storeDecks(stored.map((deck) => (deck === old ? { ...old, ...change, name } : deck)));
}

/** Delete a deck; what is returned puts it back where it was. */
export function deleteDeck(id: string): () => void {
  const stored = latestDecks();
  const place = stored.findIndex((deck) => deck.id === id);
  const deleted = stored[place];
  storeDecks(stored.filter((deck) => deck.id !== id));
  return () => {
    const now = latestDecks();
    if (!deleted || now.some((deck) => deck.id === id)) return;
    storeDecks([...now.slice(0, place), { ...deleted, name: uniqueName(now, deleted.game, deleted.name) }, ...now.slice(place)]);
  };
}

/** The name, or the name with a number where there is such a deck already. */
function uniqueName(stored: readonly SavedDeck[], game: string, wanted: string): string {
  const name = wanted.trim().slice(0, MAX_DECK_NAME_LENGTH);
  const taken = new Set(stored.filter((deck) => deck.game === game).map((deck) => deck.name));
  let free = name;
  for (let n = 2; taken.has(free); n++) free = `${name.slice(0, MAX_DECK_NAME_LENGTH - 4)} ${n}`;
  return free;
}

/** What is stored now, also by another tab; what this one knows where nothing is stored. */
function latestDecks(): readonly SavedDeck[] {
  const found = loadDecks();
  return found.length || hasStoredDecks() ? found : decks;
}

function hasStoredDecks(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) !== null;
  } catch {
    return false;
  }
}

function storeDecks(next: readonly SavedDeck[]): void {
  decks = next;
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(next));
  } catch {
    // A browser that stores nothing has them as long as the page is open.
  }
}

function loadDecks(): readonly SavedDeck[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "[]");
    return Array.isArray(found) ? found.filter(isSavedDeck).slice(0, MAX_DECKS) : [];
  } catch {
    return [];
  }
}

function isSavedDeck(found: unknown): found is SavedDeck {
  if (!found || typeof found !== "object") return false;
  const { id, game, name, faces } = found as Record<string, unknown>;
  const texts = [id, game, name].every((text) => typeof text === "string" && text.length <= MAX_DECK_NAME_LENGTH);
  return (
    texts &&
    Array.isArray(faces) &&
    faces.length <= MAX_FACES &&
    faces.every((face) => typeof face === "string" && face.length <= MAX_FACE_LENGTH)
  );
}
