import { beforeEach, describe, expect, test } from "vitest";
import { appendTurn, verdict } from "../src/games/limes/learn/continueRecord";
import { LessonMatch, boardMatchState, type Lesson } from "../src/lib/learn/lessonMatch.svelte";
import { declineTutorial, shouldOfferTutorial, saveTutorialStep, loadTutorialStep } from "../src/lib/learn/tutorialProgress";
import { feedbackText, type TutorialText } from "../src/lib/learn/text";

const why = (key: string) => ({ key, values: {} });
/** Two parts, the second of which matters: `a b` is right, from `c` nothing good can come. */
const LESSON = {
  id: "one",
  players: 2,
  player: 1,
  view: {},
  legal: {},
  previews: { a: { turn: "a" } },
  good: ["a b"],
  wrong: { a: why("unfinished"), "a d": why("bad") },
  wrong_prefixes: { c: why("lost") },
  refused: { x: why("illegal") },
  accepts_partial: false,
} as unknown as Lesson;

describe("a lesson", () => {
  test("lets go on what may lead to its goal and objects to what does not", () => {
    const match = new LessonMatch("game", LESSON);
    expect(match.objects("a")).toBe(false);
    expect(match.objects("a d")).toBe(true);
    expect(match.why?.key).toBe("bad");
    expect(match.objects("a")).toBe(false); // taken back: the reason is still to be read
    expect(match.why?.key).toBe("bad");
    expect(match.objects("a b")).toBe(false);
    expect(match.why).toBeNull();
    expect(match.objects("c")).toBe(true);
    expect(match.why?.key).toBe("lost");
  });

  test("is reached by ending a good turn, and by no other", async () => {
    const match = new LessonMatch("game", LESSON);
    await match.play(1, "a");
    expect([match.reached, match.why?.key]).toEqual([false, "unfinished"]);
    match.objects("a b");
    expect(match.reached).toBe(false);
    await match.play(1, "a b");
    expect([match.reached, match.why]).toEqual([true, null]);
    expect(match.objects("c")).toBe(false); // now anything may be looked at
  });

  test("is reached at once where the turn need not be ended", () => {
    const match = new LessonMatch("game", { ...LESSON, accepts_partial: true });
    match.objects("a b");
    expect(match.reached).toBe(true);
  });

  test("says why something is not allowed, and knows what it was sent and nothing else", async () => {
    const match = new LessonMatch("game", LESSON);
    match.refuses("x");
    expect(match.why?.key).toBe("illegal");
    match.refuses("something unheard of");
    expect(match.why?.key).toBe("illegal");
    expect(await match.preview(1, "a")).toEqual({ turn: "a" });
    await expect(match.preview(1, "b")).rejects.toThrow("illegal");
  });

  test("is a table where it is the learner's turn and another moved before", () => {
    const { state } = new LessonMatch("game", LESSON);
    expect([state.my_seats, state.to_move, state.steps[0]?.player]).toEqual([[1], [1], 0]);
    const after = boardMatchState("game", { ...LESSON, legal: null }, 1, true, "a b");
    expect([after.to_move, after.phase, after.steps]).toEqual([[], "over", [{ player: 1, text: "a b" }]]);
  });

  test("puts the words of the page into a reason", () => {
    const text = { why: { many: "{n} {n|hut|huts}: {tile}{none}" } } as unknown as TutorialText;
    expect(feedbackText(text, { key: "many", values: { n: 2, tile: "c4", none: ":no.such.word" } })).toBe("2 huts: c4");
    expect(feedbackText(text, why("unknown"))).toBe("");
  });
});

describe("progress", () => {
  beforeEach(() => {
    const kept = new Map<string, string>();
    const storage = {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
    };
    Object.assign(globalThis, { localStorage: storage });
  });

  test("is remembered for each game, and who declines or has come to the end begins anew", () => {
    expect(shouldOfferTutorial("one")).toBe(true);
    saveTutorialStep("one", "third");
    expect([shouldOfferTutorial("one"), loadTutorialStep("one"), shouldOfferTutorial("two")]).toEqual([false, "third", true]);
    declineTutorial("one"); // whoever has begun is not set back
    expect(loadTutorialStep("one")).toBe("third");
    declineTutorial("two");
    expect([shouldOfferTutorial("two"), loadTutorialStep("two")]).toEqual([false, null]);
    saveTutorialStep("one", null);
    expect([shouldOfferTutorial("one"), loadTutorialStep("one")]).toEqual([false, null]);
  });
});

describe("a game that is tried out", () => {
  test("goes on with the turn of one player and the next card", () => {
    const record = { game: "limes", players: ["-", "-"], draws: [3], turns: [] };
    const after = appendTurn(record, "d4r0", 1, [3, 7]);
    expect([after.draws, after.turns]).toEqual([[3, 7], [[null, "d4r0"]]]);
    expect(appendTurn(after, "e4r0", 0).draws).toEqual([3, 7]);
    expect(appendTurn({ ...record, turns: [["d4r1", null]] }, "d4r0", 1).turns).toEqual([["d4r1", "d4r0"]]);
  });

  test("tells what a turn brought and what would have brought more", () => {
    const legal = { cells: ["e4"], turns: { e4r0: { "": 3, "+nw": 5 }, e4r1: { "": 3, "+se": 7 } } };
    expect(verdict(legal, "e4r0 +nw", 3)).toEqual({ gain: 2, total: 5, better: { turn: "e4r1 +se", more: 2 } });
    expect(verdict(legal, "e4r1 +se", 3)).toEqual({ gain: 4, total: 7, better: null });
  });
});
