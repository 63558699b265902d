import { beforeEach, expect, test, vi } from "vitest";

const FACES = ["F W T R", "? ? ? ?"];

/** Load the module in a browser with these stored decks, or one without storage. */
async function browser(stored: string | null | "no-storage") {
  const storage = new Map<string, string>();
  if (stored !== null && stored !== "no-storage") storage.set("limina.decks", stored);
  const fail = () => {
    throw new Error("this browser has no storage");
  };
  vi.stubGlobal("localStorage", {
    getItem: stored === "no-storage" ? fail : (key: string) => storage.get(key) ?? null,
    setItem: stored === "no-storage" ? fail : (key: string, value: string) => void storage.set(key, value),
  });
  vi.resetModules();
  return { storage, ...(await import("../src/lib/storage/savedDecks.svelte")) };
}

beforeEach(() => vi.unstubAllGlobals());

test("decks have unique names and can be restored", async () => {
  const { addDeck, updateDeck, deleteDeck, savedDecks, storage } = await browser(null);
  const [first, second] = [addDeck("a", "Box", FACES)!, addDeck("a", " Box ", FACES)!];
  addDeck("b", "Box", FACES);
  const names = () => savedDecks("a").map(({ name }) => name);
  expect(names()).toEqual(["Box", "Box 2"]);
  updateDeck(second.id, { name: "Box" });
  expect(names()).toEqual(["Box", "Box 2"]);
  updateDeck(second.id, { name: "  " });
  expect(names()).toEqual(["Box", "Box 2"]);
  updateDeck(second.id, { name: "x".repeat(99), faces: ["F F F F"] });
  expect(names()[1]).toBe("x".repeat(60));
  const back = deleteDeck(first.id);
  expect(names()).toHaveLength(1);
  back();
  back();
  expect(names()).toEqual(["Box", "x".repeat(60)]);
  expect((await browser(storage.get("limina.decks")!)).savedDecks("a")).toEqual(savedDecks("a"));
});

test("there is an end to how many are storage", async () => {
  const { addDeck, MAX_DECKS, canAddDeck, savedDecks } = await browser(null);
  for (let n = 0; n < MAX_DECKS; n++) expect(addDeck("a", "Box", FACES)).not.toBe(null);
  expect([canAddDeck(), addDeck("a", "Box", FACES), savedDecks("a").length]).toEqual([false, null, MAX_DECKS]);
});

test.each(["", "7", "{}", '[{"id": 1}]', '[{"id":"a","game":"a","name":"n","faces":[7]}]', "[null]"])(
  "invalid stored data is ignored: %s",
  async (stored) => expect((await browser(stored)).savedDecks("a")).toEqual([]),
);

test("without storage decks last until the page is closed", async () => {
  const { addDeck, updateDeck, savedDecks } = await browser("no-storage");
  const deck = addDeck("a", "Box", FACES)!;
  updateDeck(deck.id, { name: "Bag" });
  expect(savedDecks("a").map(({ name }) => name)).toEqual(["Bag"]);
});
