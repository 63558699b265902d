import { describe, expect, test } from "vitest";
import { errorMessage, PageError } from "../src/lib/app/errors";
import { DeckDraft } from "../src/games/limes/decks/deckDraft.svelte";
import {
  BLANK,
  parseStoredFaces,
  nextZoneKind,
  rotated,
  formatFace,
  ZONES,
  type Face,
  type KnownZone,
} from "../src/games/limes/decks/faces";
import { DEFAULT_DECK, parseDeck, formatDeck } from "../src/games/limes/decks/deckFile";
import { countCommonFaces, deckStatistics } from "../src/games/limes/decks/deckStatistics";

const blank = () => Array.from({ length: 24 }, () => BLANK);
const facesOf = (draft: DeckDraft) => draft.faces.map(formatFace);

describe("files", () => {
  const lines = DEFAULT_DECK.faces.map(formatFace);
  const withFace = (index: number, face: string) => lines.map((line, i) => (i === index ? face : line));

  test("a deck is parsed from text, JSON and TOML, and formatted as TOML", () => {
    expect(DEFAULT_DECK.name).toBe("limina-24");
    for (const text of [lines.join("\n"), JSON.stringify(lines), JSON.stringify({ deck: lines }), lines.join("\n").toLowerCase()])
      expect(parseDeck(text).faces).toEqual(DEFAULT_DECK.faces);
    for (const name of ["", 'a "quoted" \\ name', "Grüße\n\t\x7f\x00", "名"])
      expect(parseDeck(formatDeck({ name, faces: DEFAULT_DECK.faces }))).toEqual({ name, faces: DEFAULT_DECK.faces });
  });

  test.each<[string, string, string]>([
    ["23 cards", JSON.stringify(lines.slice(1)), "decks.error.count 23"],
    ["a hut on water", JSON.stringify(withFace(22, "F W* F F")), "decks.error.hut 23"],
    ["a letter", JSON.stringify(withFace(4, "F X F F")), "decks.error.zone 5"],
    ["two huts", JSON.stringify(withFace(4, "F** F F F")), "decks.error.zone 5"],
    ["three zones", JSON.stringify(withFace(4, "F F F")), "decks.error.zones 5"],
    ["a number", JSON.stringify([...lines.slice(1), 7]), "decks.error.zones 24"],
    ["a huge file", "F F F F\n".repeat(9000), "decks.error.large "],
    ["nothing", " \n", "decks.error.empty "],
    ["no TOML", 'name = "x"\ncards = [\n"F F F F"\n\n!', "decks.error.line 5"],
    ["no list", "cards = 7", "decks.error.file "],
    ["no JSON", "{", "decks.error.file "],
    ["another file", '{"draws": []}', "decks.error.file "],
  ])("%s is rejected with the reason and the card", (_, text, reason) => {
    let caught: unknown;
    try {
      parseDeck(text);
    } catch (error) {
      caught = error;
    }
    expect(caught).toBeInstanceOf(PageError);
    const { key, values } = caught as PageError;
    expect(`${key} ${values["n"] ?? ""}`).toBe(reason);
    expect(errorMessage(caught)).toBe(key);
  });

  test("invalid zones of a stored deck are unknown", () => {
    expect(parseStoredFaces(["F* W T R", "W* x F", ""]).slice(0, 3)).toEqual([
      ["F*", "W", "T", "R"],
      ["?", "?", "F", "?"],
      BLANK,
    ]);
    expect(parseStoredFaces([])).toHaveLength(24);
  });
});

describe("a deck draft", () => {
  test("selects the next zone and card, and stays at the last zone", () => {
    const draft = new DeckDraft(blank());
    for (const face of DEFAULT_DECK.faces) for (const zone of face) draft.enter(zone as KnownZone);
    expect(draft.faces).toEqual(DEFAULT_DECK.faces);
    expect([draft.card, draft.zone, draft.isComplete]).toEqual([23, 3, true]);
    draft.eraseLast();
    expect(facesOf(draft).at(-1)).toBe("R F T* ?");
    draft.eraseLast();
    expect(facesOf(draft).at(-1)).toBe("R F ? ?");
  });

  test("a typed hut belongs to the zone before it, also on the previous card", () => {
    const draft = new DeckDraft(blank());
    for (const key of "F*WTR*W*") {
      if (key === "*") draft.toggleHut();
      else draft.enter(key as KnownZone);
    }
    expect(facesOf(draft).slice(0, 2)).toEqual(["F* W T R*", "W ? ? ?"]);
    draft.move(-1, 0);
    expect(draft.toggleHut()).toBe(false);
    draft.move(-1, 0);
    expect([draft.card, draft.zone]).toEqual([0, 1]);
    draft.move(0, 1);
    expect(draft.toggleHut()).toBe(true);
    expect(facesOf(draft)[0]).toBe("F* W T R");
  });

  test("taps cycle through all values of a zone and keep it selected", () => {
    const draft = new DeckDraft(blank());
    const values = ZONES.map(() => {
      draft.cycle(2);
      return draft.face[2];
    });
    expect(values).toEqual(ZONES);
    expect(nextZoneKind("R*")).toBe("F");
    expect([draft.card, draft.zone]).toEqual([0, 2]);
  });

  test("every change can be undone and redone", () => {
    const saved: string[][] = [];
    const draft = new DeckDraft(DEFAULT_DECK.faces, (faces) => saved.push(faces.map(formatFace)));
    const states = [facesOf(draft)];
    for (const change of [() => draft.rotate(1), () => draft.swap(5), () => (draft.copy(), draft.select(9), draft.paste())]) {
      change();
      states.push(facesOf(draft));
    }
    expect(states[1]![0]).toBe(formatFace(rotated(DEFAULT_DECK.faces[0]!)));
    expect([states[2]![0], states[2]![5]]).toEqual([states[1]![5], states[1]![0]]);
    expect(states[3]![9]).toBe(states[2]![5]);
    for (const state of states.slice(0, -1).reverse()) {
      draft.undo();
      expect(facesOf(draft)).toEqual(state);
    }
    expect(draft.canUndo).toBe(false);
    for (const state of states.slice(1)) {
      draft.redo();
      expect(facesOf(draft)).toEqual(state);
    }
    expect(draft.canRedo).toBe(false);
    expect(saved.at(-1)).toEqual(states.at(-1));
  });
});

test("statistics count zones, huts and equal faces in any rotation", () => {
  const statistics = deckStatistics(DEFAULT_DECK.faces);
  expect([statistics.zones, statistics.hutCount]).toEqual([{ F: 25, W: 27, T: 20, R: 24 }, 29]);
  expect([statistics.duplicates, statistics.unfinished, statistics.missing]).toEqual([[], [], []]);
  const faces: Face[] = [...DEFAULT_DECK.faces];
  faces[6] = rotated(faces[2]!);
  faces[7] = BLANK;
  expect(deckStatistics(faces)).toMatchObject({ duplicates: [[3, 7]], unfinished: [8] });
  expect(countCommonFaces(faces, DEFAULT_DECK.faces)).toBe(22);
  expect(deckStatistics(DEFAULT_DECK.faces.map((): Face => ["F", "F", "F", "F"])).missing).toEqual(["W", "T", "R"]);
});
