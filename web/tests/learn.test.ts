import { beforeEach, describe, expect, test } from "vitest";
import { appendTurn, rateTurn } from "../src/games/limes/learn/continueRecord";
import { LessonMatch, boardMatchState, type Lesson } from "../src/lib/learn/lessonMatch.svelte";
import { declineTutorial, shouldOfferTutorial, saveTutorialStep, loadTutorialStep } from "../src/lib/learn/tutorialProgress";
import { feedbackText, type TutorialText } from "../src/lib/learn/text";

const feedback = (key: string) => ({ key, values: {} });
/** A turn of two parts: `a b` is right, and no turn from `c` is. */
const LESSON = {
  id: "one",
  players: 2,
  player: 1,
  view: {},
  legal: {},
  previews: { a: { turn: "a" } },
  good: ["a b"],
  wrong: { a: feedback("unfinished"), "a d": feedback("bad") },
  wrong_prefixes: { c: feedback("lost") },
  refused: { x: feedback("illegal") },
  accepts_partial: false,
} as unknown as Lesson;

describe("a lesson", () => {
  test("accepts partial turns that can reach its goal and rejects others", () => {
    const match = new LessonMatch("game", LESSON);
    expect(match.rejects("a")).toBe(false);
    expect(match.rejects("a d")).toBe(true);
    expect(match.feedback?.key).toBe("bad");
    expect(match.rejects("a")).toBe(false); // after an undo the feedback stays
    expect(match.feedback?.key).toBe("bad");
    expect(match.rejects("a b")).toBe(false);
    expect(match.feedback).toBeNull();
    expect(match.rejects("c")).toBe(true);
    expect(match.feedback?.key).toBe("lost");
  });

  test("is reached by a good turn only", async () => {
    const match = new LessonMatch("game", LESSON);
    await match.play(1, "a");
    expect([match.reached, match.feedback?.key]).toEqual([false, "unfinished"]);
    match.rejects("a b");
    expect(match.reached).toBe(false);
    await match.play(1, "a b");
    expect([match.reached, match.feedback]).toEqual([true, null]);
    expect(match.rejects("c")).toBe(false); // after the goal every turn is accepted
  });

  test("is reached by a partial turn if it accepts one", () => {
    const match = new LessonMatch("game", { ...LESSON, accepts_partial: true });
    match.rejects("a b");
    expect(match.reached).toBe(true);
  });

  test("explains illegal attempts and has the previews of its own turns only", async () => {
    const match = new LessonMatch("game", LESSON);
    match.explainIllegal("x");
    expect(match.feedback?.key).toBe("illegal");
    match.explainIllegal("unknown");
    expect(match.feedback?.key).toBe("illegal");
    expect(await match.preview(1, "a")).toEqual({ turn: "a" });
    await expect(match.preview(1, "b")).rejects.toThrow("illegal");
  });

  test("is a match in which the player is to move after an opponent", () => {
    const { state } = new LessonMatch("game", LESSON);
    expect([state.my_seats, state.to_move, state.steps[0]?.player]).toEqual([[1], [1], 0]);
    const after = boardMatchState("game", { ...LESSON, legal: null }, 1, true, "a b");
    expect([after.to_move, after.phase, after.steps]).toEqual([[], "over", [{ player: 1, text: "a b" }]]);
  });

  test("puts messages of the page into feedback", () => {
    const text = { feedback: { many: "{n} {n|hut|huts}: {tile}{none}" } } as unknown as TutorialText;
    expect(feedbackText(text, { key: "many", values: { n: 2, tile: "c4", none: ":no.such.word" } })).toBe("2 huts: c4");
    expect(feedbackText(text, feedback("unknown"))).toBe("");
  });
});

describe("progress", () => {
  beforeEach(() => {
    const stored = new Map<string, string>();
    const storage = {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
    };
    Object.assign(globalThis, { localStorage: storage });
  });

  test("is stored by game and starts over after a refusal or the end", () => {
    expect(shouldOfferTutorial("one")).toBe(true);
    saveTutorialStep("one", "third");
    expect([shouldOfferTutorial("one"), loadTutorialStep("one"), shouldOfferTutorial("two")]).toEqual([false, "third", true]);
    declineTutorial("one"); // does not reset a tutorial that was begun
    expect(loadTutorialStep("one")).toBe("third");
    declineTutorial("two");
    expect([shouldOfferTutorial("two"), loadTutorialStep("two")]).toEqual([false, null]);
    saveTutorialStep("one", null);
    expect([shouldOfferTutorial("one"), loadTutorialStep("one")]).toEqual([false, null]);
  });
});

describe("a sandbox", () => {
  test("appends the turn of one player and the next card", () => {
    const record = { game: "limes", players: ["-", "-"], draws: [3], turns: [] };
    const after = appendTurn(record, "d4r0", 1, [3, 7]);
    expect([after.draws, after.turns]).toEqual([[3, 7], [[null, "d4r0"]]]);
    expect(appendTurn(after, "e4r0", 0).draws).toEqual([3, 7]);
    expect(appendTurn({ ...record, turns: [["d4r1", null]] }, "d4r0", 1).turns).toEqual([["d4r1", "d4r0"]]);
  });

  test("rates a turn by its gain and names a better one", () => {
    const legal = { cells: ["e4"], turns: { e4r0: { "": 3, "+nw": 5 }, e4r1: { "": 3, "+se": 7 } } };
    expect(rateTurn(legal, "e4r0 +nw", 3)).toEqual({ gain: 2, total: 5, better: { turn: "e4r1 +se", more: 2 } });
    expect(rateTurn(legal, "e4r1 +se", 3)).toEqual({ gain: 4, total: 7, better: null });
  });
});
