/** Named decks in local storage. Their faces are texts that only their game can parse. */

export interface SavedDeck {
  readonly id: string;
  readonly game: string;
  readonly name: string;
  readonly faces: readonly string[];
}

const STORAGE_KEY = "limina.decks";
export const MAX_DECKS = 50;
export const MAX_DECK_NAME_LENGTH = 60;
/** Stored decks with more or longer faces are ignored. */
const MAX_FACES = 200;
const MAX_FACE_LENGTH = 40;

let decks = $state.raw<readonly SavedDeck[]>(loadDecks());

if (typeof addEventListener === "function") {
  // Another tab has changed the decks.
  addEventListener("storage", (event) => {
    if (event.key === STORAGE_KEY || event.key === null) decks = loadDecks();
  });
}

/** Return the decks of a game, oldest first. */
export function savedDecks(game: string): readonly SavedDeck[] {
  return decks.filter((deck) => deck.game === game);
}

/** Return true if there are fewer than `MAX_DECKS`. */
export function canAddDeck(): boolean {
  return decks.length < MAX_DECKS;
}

/** Save a new deck and return it; return null if there are too many. A number makes its name unique within the game. */
export function addDeck(game: string, name: string, faces: readonly string[]): SavedDeck | null {
  const stored = latestDecks();
  if (stored.length >= MAX_DECKS) return null;
  const deck = { id: crypto.getRandomValues(new Uint32Array(2)).join("-"), game, name: uniqueName(stored, game, name), faces };
  storeDecks([...stored, deck]);
  return deck;
}

/** Change the faces or the name of a saved deck. */
export function updateDeck(id: string, change: { name?: string; faces?: readonly string[] }): void {
  const stored = latestDecks();
  const old = stored.find((deck) => deck.id === id);
  if (!old) return;
  const others = stored.filter((deck) => deck !== old);
  const name = change.name === undefined ? old.name : uniqueName(others, old.game, change.name.trim() || old.name);
  storeDecks(stored.map((deck) => (deck === old ? { ...old, ...change, name } : deck)));
}

/** Delete a deck; return a function that restores it at its place. */
export function deleteDeck(id: string): () => void {
  const stored = latestDecks();
  const index = stored.findIndex((deck) => deck.id === id);
  const deleted = stored[index];
  storeDecks(stored.filter((deck) => deck.id !== id));
  return () => {
    const now = latestDecks();
    if (!deleted || now.some((deck) => deck.id === id)) return;
    storeDecks([...now.slice(0, index), { ...deleted, name: uniqueName(now, deleted.game, deleted.name) }, ...now.slice(index)]);
  };
}

/** Return the name, with a number if another deck of the game has it. */
function uniqueName(stored: readonly SavedDeck[], game: string, newName: string): string {
  const name = newName.trim().slice(0, MAX_DECK_NAME_LENGTH);
  const taken = new Set(stored.filter((deck) => deck.game === game).map((deck) => deck.name));
  let unique = name;
  for (let n = 2; taken.has(unique); n++) unique = `${name.slice(0, MAX_DECK_NAME_LENGTH - 4)} ${n}`;
  return unique;
}

/** Return the stored decks, which another tab may have changed; without storage, those of this tab. */
function latestDecks(): readonly SavedDeck[] {
  const stored = loadDecks();
  return stored.length || hasStoredDecks() ? stored : decks;
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
    // Without storage the decks last until the page is closed.
  }
}

function loadDecks(): readonly SavedDeck[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "[]");
    return Array.isArray(stored) ? stored.filter(isSavedDeck).slice(0, MAX_DECKS) : [];
  } catch {
    return [];
  }
}

function isSavedDeck(value: unknown): value is SavedDeck {
  if (!value || typeof value !== "object") return false;
  const { id, game, name, faces } = value as Record<string, unknown>;
  const texts = [id, game, name].every((text) => typeof text === "string" && text.length <= MAX_DECK_NAME_LENGTH);
  return (
    texts &&
    Array.isArray(faces) &&
    faces.length <= MAX_FACES &&
    faces.every((face) => typeof face === "string" && face.length <= MAX_FACE_LENGTH)
  );
}
