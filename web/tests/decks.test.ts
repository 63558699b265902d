import { describe, expect, test } from "vitest";
import { errorMessage, PageError } from "../src/lib/app/errors";
import { DeckDraft } from "../src/games/limes/decks/deckDraft.svelte";
import {
  BLANK,
  parseStoredFaces,
  nextZone,
  rotated,
  formatFace,
  ZONES,
  type Face,
  type KnownZone,
} from "../src/games/limes/decks/faces";
import { DEFAULT_DECK, parseDeck, formatDeck } from "../src/games/limes/decks/deckFile";
import { countCommonFaces, deckStatistics } from "../src/games/limes/decks/deckStatistics";

const blank = () => Array.from({ length: 24 }, () => BLANK);
const written = (draft: DeckDraft) => draft.faces.map(formatFace);

describe("files", () => {
  const lines = DEFAULT_DECK.faces.map(formatFace);
  const changed = (place: number, face: string) => lines.map((line, i) => (i === place ? face : line));

  test("a deck is read as people bring it, and written as it is read", () => {
    expect(DEFAULT_DECK.name).toBe("limina-24");
    for (const text of [lines.join("\n"), JSON.stringify(lines), JSON.stringify({ deck: lines }), lines.join("\n").toLowerCase()])
      expect(parseDeck(text).faces).toEqual(DEFAULT_DECK.faces);
    for (const name of ["", 'a "quoted" \\ name', "Grüße\n\t\x7f\x00", "名"])
      expect(parseDeck(formatDeck({ name, faces: DEFAULT_DECK.faces }))).toEqual({ name, faces: DEFAULT_DECK.faces });
  });

  test.each<[string, string, string]>([
    ["23 cards", JSON.stringify(lines.slice(1)), "decks.wrong.count 23"],
    ["a hut on water", JSON.stringify(changed(22, "F W* F F")), "decks.wrong.hut 23"],
    ["a letter", JSON.stringify(changed(4, "F X F F")), "decks.wrong.zone 5"],
    ["two huts", JSON.stringify(changed(4, "F** F F F")), "decks.wrong.zone 5"],
    ["three zones", JSON.stringify(changed(4, "F F F")), "decks.wrong.zones 5"],
    ["a number", JSON.stringify([...lines.slice(1), 7]), "decks.wrong.zones 24"],
    ["a huge file", "F F F F\n".repeat(9000), "decks.wrong.large "],
    ["nothing", " \n", "decks.wrong.nothing "],
    ["no TOML", 'name = "x"\ncards = [\n"F F F F"\n\n!', "decks.wrong.line 5"],
    ["no list", "cards = 7", "decks.wrong.file "],
    ["no JSON", "{", "decks.wrong.file "],
    ["another file", '{"draws": []}', "decks.wrong.file "],
  ])("%s is refused with the reason and the card", (_, text, reason) => {
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

  test("what a browser kept and nobody understands is to be entered again", () => {
    expect(parseStoredFaces(["F* W T R", "W* x F", ""]).slice(0, 3)).toEqual([
      ["F*", "W", "T", "R"],
      ["?", "?", "F", "?"],
      BLANK,
    ]);
    expect(parseStoredFaces([])).toHaveLength(24);
  });
});

describe("a draft", () => {
  test("goes on by itself, from zone to zone and card to card, and stays at the end", () => {
    const draft = new DeckDraft(blank());
    for (const face of DEFAULT_DECK.faces) for (const zone of face) draft.enter(zone as KnownZone);
    expect(draft.faces).toEqual(DEFAULT_DECK.faces);
    expect([draft.card, draft.zone, draft.isComplete]).toEqual([23, 3, true]);
    draft.eraseLast();
    expect(written(draft).at(-1)).toBe("R F T* ?");
    draft.eraseLast();
    expect(written(draft).at(-1)).toBe("R F ? ?");
  });

  test("a hut that is typed after a zone belongs to it, also over the end of a card", () => {
    const draft = new DeckDraft(blank());
    for (const key of "F*WTR*W*") {
      if (key === "*") draft.toggleHut();
      else draft.enter(key as KnownZone);
    }
    expect(written(draft).slice(0, 2)).toEqual(["F* W T R*", "W ? ? ?"]);
    draft.move(-1, 0);
    expect(draft.toggleHut()).toBe(false);
    draft.move(-1, 0);
    expect([draft.card, draft.zone]).toEqual([0, 1]);
    draft.move(0, 1);
    expect(draft.toggleHut()).toBe(true);
    expect(written(draft)[0]).toBe("F* W T R");
  });

  test("taps go through all that a zone can be and stay there", () => {
    const draft = new DeckDraft(blank());
    const seen = ZONES.map(() => {
      draft.cycle(2);
      return draft.face[2];
    });
    expect(seen).toEqual(ZONES);
    expect(nextZone("R*")).toBe("F");
    expect([draft.card, draft.zone]).toEqual([0, 2]);
  });

  test("every change can be taken back and made again", () => {
    const kept: string[][] = [];
    const draft = new DeckDraft(DEFAULT_DECK.faces, (faces) => kept.push(faces.map(formatFace)));
    const moments = [written(draft)];
    for (const act of [() => draft.rotate(1), () => draft.swap(5), () => (draft.copy(), draft.select(9), draft.paste())]) {
      act();
      moments.push(written(draft));
    }
    expect(moments[1]![0]).toBe(formatFace(rotated(DEFAULT_DECK.faces[0]!)));
    expect([moments[2]![0], moments[2]![5]]).toEqual([moments[1]![5], moments[1]![0]]);
    expect(moments[3]![9]).toBe(moments[2]![5]);
    for (const moment of moments.slice(0, -1).reverse()) {
      draft.undo();
      expect(written(draft)).toEqual(moment);
    }
    expect(draft.canUndo).toBe(false);
    for (const moment of moments.slice(1)) {
      draft.redo();
      expect(written(draft)).toEqual(moment);
    }
    expect(draft.canRedo).toBe(false);
    expect(kept.at(-1)).toEqual(moments.at(-1));
  });
});

test("statistics count zones, huts and what is the same up to turning", () => {
  const ours = deckStatistics(DEFAULT_DECK.faces);
  expect([ours.zones, ours.hutCount]).toEqual([{ F: 25, W: 27, T: 20, R: 24 }, 29]);
  expect([ours.duplicates, ours.unfinished, ours.missing]).toEqual([[], [], []]);
  const faces: Face[] = [...DEFAULT_DECK.faces];
  faces[6] = rotated(faces[2]!);
  faces[7] = BLANK;
  expect(deckStatistics(faces)).toMatchObject({ duplicates: [[3, 7]], unfinished: [8] });
  expect(countCommonFaces(faces, DEFAULT_DECK.faces)).toBe(22);
  expect(deckStatistics(DEFAULT_DECK.faces.map((): Face => ["F", "F", "F", "F"])).missing).toEqual(["W", "T", "R"]);
});
