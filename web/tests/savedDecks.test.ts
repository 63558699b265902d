import { beforeEach, expect, test, vi } from "vitest";

const FACES = ["F W T R", "? ? ? ?"];

/** A browser that has stored this, or stores nothing at all. */
async function browser(stored: string | null | "nothing") {
  const kept = new Map<string, string>();
  if (stored !== null && stored !== "nothing") kept.set("limina.decks", stored);
  const refuse = () => {
    throw new Error("this browser stores nothing");
  };
  vi.stubGlobal("localStorage", {
    getItem: stored === "nothing" ? refuse : (key: string) => kept.get(key) ?? null,
    setItem: stored === "nothing" ? refuse : (key: string, value: string) => void kept.set(key, value),
  });
  vi.resetModules();
  return { kept, ...(await import("../src/lib/storage/savedDecks.svelte")) };
}

beforeEach(() => vi.unstubAllGlobals());

test("decks are kept under names of their own, and come back after they were deleted", async () => {
  const { addDeck, updateDeck, deleteDeck, savedDecks, kept } = await browser(null);
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
  expect((await browser(kept.get("limina.decks")!)).savedDecks("a")).toEqual(savedDecks("a"));
});

test("there is an end to how many are kept", async () => {
  const { addDeck, MAX_DECKS, canAddDeck, savedDecks } = await browser(null);
  for (let n = 0; n < MAX_DECKS; n++) expect(addDeck("a", "Box", FACES)).not.toBe(null);
  expect([canAddDeck(), addDeck("a", "Box", FACES), savedDecks("a").length]).toEqual([false, null, MAX_DECKS]);
});

test.each(["", "7", "{}", '[{"id": 1}]', '[{"id":"a","game":"a","name":"n","faces":[7]}]', "[null]"])(
  "what is stored and is no deck does no harm: %s",
  async (stored) => expect((await browser(stored)).savedDecks("a")).toEqual([]),
);

test("a browser that stores nothing has them as long as the page is open", async () => {
  const { addDeck, updateDeck, savedDecks } = await browser("nothing");
  const deck = addDeck("a", "Box", FACES)!;
  updateDeck(deck.id, { name: "Bag" });
  expect(savedDecks("a").map(({ name }) => name)).toEqual(["Bag"]);
});
