import { flushSync, tick } from "svelte";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { currentAnnouncement } from "../src/lib/app/announce.svelte";
import { ApiError, type MatchState, type StepState } from "../src/lib/api";
import type { Draft } from "../src/lib/match/draft";
import { turnController, type TurnController, type TurnAdapter } from "../src/lib/match/turnController.svelte";
import { setLanguage, withMessages } from "../src/lib/i18n/messages.svelte";

/** A draft of letters, which is complete with two of them. */
class Letters implements Draft {
  letters = $state("");
  constructor(readonly allowed: string) {}

  get turn(): string | null {
    return this.letters.length === 2 ? this.letters : null;
  }
  get canUndo(): boolean {
    return this.letters !== "";
  }
  get snapshot(): string | null {
    return this.letters || null;
  }
  write(letter: string): void {
    if (this.allowed.includes(letter)) this.letters += letter;
  }
  undo(): void {
    this.letters = this.letters.slice(0, -1);
  }
  applyTurn(turn: string): void {
    this.letters = turn;
  }
  restore(snapshot: unknown): void {
    this.letters = String(snapshot);
  }
}

const GAME: TurnAdapter<Letters> = {
  createDraft: (seat, { legal }) => new Letters(String(legal[seat])),
  describeSteps: (steps) => steps.map(({ player, text }) => `${player}: ${text}`).join(", "),
  describeDraft: ({ letters }) => `so far ${letters}`,
  handleKey: ({ key }, draft) => {
    if (key === "!") return { end: `${draft.letters}!` };
    if (!draft.allowed.includes(key)) return false;
    draft.write(key);
    return true;
  },
};

/** A match whose saves the test completes or rejects. */
class FakeMatch {
  suggestion = $state.raw<{ seat: number; turn: string } | null>(null);
  sending = $state(false);
  playedTurns: string[] = [];
  #save: { resolve: () => void; reject: (error: ApiError) => void } | null = null;

  play(seat: number, turn: string): Promise<void> {
    this.playedTurns.push(`${seat} ${turn}`);
    this.sending = true;
    return new Promise<void>((resolve, reject) => (this.#save = { resolve, reject })).finally(() => (this.sending = false));
  }
  async completeSave(): Promise<void> {
    this.#save!.resolve();
    await settled();
  }
  async rejectSave(): Promise<void> {
    this.#save!.reject(new ApiError("stale"));
    await settled();
  }
}

async function settled(): Promise<void> {
  for (let i = 0; i < 5; i++) await tick();
  flushSync();
}

interface StateFields {
  mine?: number[];
  to_move?: number[];
  steps?: StepState[];
  legal?: Record<number, string>;
}

/** Return a state in which each seat has played its turns of the steps. */
function matchState({ mine = [0], to_move = [0], steps = [], legal = { 0: "ab", 1: "cd" } }: StateFields): MatchState {
  const seats = [0, 1].map((seat) => ({ turn_count: steps.filter(({ player }) => player === seat).length }));
  return { match_id: "some-match", my_seats: mine, to_move, steps, seats, legal } as unknown as MatchState;
}

const stored = new Map<string, string>();
let cleanups: (() => void)[] = [];

/** Create a controller as the match view of a game does. */
function open(match: FakeMatch, fields: StateFields) {
  let state = $state.raw(matchState(fields));
  let turn!: TurnController<Letters>;
  cleanups.push(
    $effect.root(() => {
      turn = turnController(match, () => state, GAME);
    }),
  );
  flushSync();
  return {
    turn,
    update: (next: StateFields) => {
      state = matchState(next);
      flushSync();
    },
    press: (...keys: string[]) => {
      for (const key of keys) turn.onKeydown({ key, target: null, preventDefault: () => undefined } as unknown as KeyboardEvent);
      flushSync();
    },
  };
}

function step(player: number | null, text: string): StepState {
  return { player, text };
}

beforeEach(async () => {
  stored.clear();
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
  vi.stubGlobal("document", { documentElement: {} });
  await setLanguage("en");
  await withMessages(["match"], () => Promise.resolve());
});

afterEach(() => {
  cleanups.forEach((close) => close());
  cleanups = [];
  vi.unstubAllGlobals();
});

describe("the seat to move", () => {
  test("is the first local seat to move, or none", () => {
    expect(open(new FakeMatch(), { mine: [0, 1], to_move: [1] }).turn.seat).toBe(1);
    expect(open(new FakeMatch(), { mine: [0, 1], to_move: [0, 1] }).turn.seat).toBe(0);
    const waiting = open(new FakeMatch(), { mine: [0], to_move: [1] }).turn;
    expect([waiting.seat, waiting.draft, waiting.displayedSeat]).toEqual([null, null, 0]);
    expect(open(new FakeMatch(), { mine: [], to_move: [0] }).turn.seat).toBe(null);
  });

  test("is the next local seat once a turn is saved", async () => {
    const match = new FakeMatch();
    const { turn, update, press } = open(match, { mine: [0, 1], to_move: [0] });
    press("a", "b", "e");
    update({ mine: [0, 1], to_move: [1], steps: [step(0, "ab")] });
    await match.completeSave();
    expect([turn.seat, turn.draft?.letters, match.playedTurns]).toEqual([1, "", ["0 ab"]]);
    press("c");
    expect(turn.draft?.letters).toBe("c");
  });

  test("ignores keys while another seat is viewed", () => {
    const { turn, press } = open(new FakeMatch(), {});
    turn.viewedSeat = 1;
    press("a");
    expect([turn.isViewingOtherSeat, turn.displayedSeat, turn.draft?.letters]).toEqual([true, 1, ""]);
    turn.viewedSeat = null;
    press("a");
    expect([turn.isViewingOtherSeat, turn.draft?.letters]).toEqual([false, "a"]);
  });
});

describe("the draft", () => {
  test("survives reloads until its turn is saved", async () => {
    const match = new FakeMatch();
    open(match, {}).press("a");
    const again = open(match, {});
    expect(again.turn.draft?.letters).toBe("a");
    again.press("b", "e");
    again.update({ steps: [step(0, "ab")] });
    await match.completeSave();
    expect(again.turn.draft?.letters).toBe("");
    expect(open(match, { steps: [step(0, "ab")] }).turn.draft?.letters).toBe("");
  });

  test("stays when the same state arrives again or an opponent moves", () => {
    const { turn, update, press } = open(new FakeMatch(), { to_move: [0, 1] });
    press("a");
    const { draft } = turn;
    update({ to_move: [0, 1] });
    update({ to_move: [0], steps: [step(1, "cd")] });
    expect(turn.draft).toBe(draft);
  });

  test("is restored when the legal turns change", () => {
    const { turn, update, press } = open(new FakeMatch(), {});
    press("a");
    update({ legal: { 0: "xyz" } });
    expect([turn.draft?.allowed, turn.draft?.letters]).toEqual(["xyz", "a"]);
  });

  test("is undone step by step", () => {
    const { turn, press } = open(new FakeMatch(), {});
    press("a", "b", "u");
    expect(turn.draft?.letters).toBe("a");
    turn.undo();
    turn.undo();
    expect([turn.draft?.letters, turn.draft?.canUndo]).toEqual(["", false]);
  });

  test("applies a suggestion for the seat to move", () => {
    const match = new FakeMatch();
    const { turn } = open(match, {});
    turn.viewedSeat = 1;
    match.suggestion = { seat: 1, turn: "cd" };
    flushSync();
    expect([turn.draft?.letters, turn.isViewingOtherSeat]).toEqual(["", true]);
    match.suggestion = { seat: 0, turn: "ba" };
    flushSync();
    expect([turn.draft?.letters, turn.isViewingOtherSeat, match.suggestion]).toEqual(["ba", false, null]);
  });
});

describe("while a turn is being saved", () => {
  test("it is sent once, and only when it is complete", async () => {
    const match = new FakeMatch();
    const { turn, update, press } = open(match, {});
    press("a", "e");
    expect(match.playedTurns).toEqual([]);
    press("b", "e");
    turn.end();
    expect([match.playedTurns, turn.editableDraft]).toEqual([["0 ab"], null]);
    update({ steps: [step(0, "ab")] });
    await match.completeSave();
    expect(match.playedTurns).toEqual(["0 ab"]);
  });

  test("keys apply to the next turn", async () => {
    const match = new FakeMatch();
    const { turn, update, press } = open(match, {});
    press("a", "b", "e", "b", "a", "u");
    expect(turn.draft?.letters).toBe("ab");
    update({ steps: [step(0, "ab")] });
    await match.completeSave();
    expect(turn.draft?.letters).toBe("b");
  });

  test("a key that ends a turn waits too, but ends no turn without a step", async () => {
    const match = new FakeMatch();
    const { update, press } = open(match, {});
    press("a", "!", "b", "!", "!");
    update({ steps: [step(0, "a!")] });
    await match.completeSave();
    expect(match.playedTurns).toEqual(["0 a!", "0 b!"]);
    update({ steps: [step(0, "a!"), step(0, "b!")] });
    await match.completeSave();
    expect(match.playedTurns).toHaveLength(2);
  });

  test("an error keeps the draft and drops the waiting keys", async () => {
    const match = new FakeMatch();
    const { turn, press } = open(match, {});
    press("a", "b", "e", "u", "u");
    await match.rejectSave();
    expect([turn.draft?.letters, turn.error]).toEqual([
      "ab",
      "The game has moved on in the meantime. Look at the board and choose again.",
    ]);
    expect(currentAnnouncement().text).toBe(turn.error);
    press("e");
    expect([match.playedTurns, turn.error]).toEqual([["0 ab", "0 ab"], ""]);
  });
});

describe("announcements", () => {
  /** Record the announcements from now on. */
  function recordAnnouncements(): string[] {
    const texts: string[] = [];
    cleanups.push(
      $effect.root(() => {
        $effect(() => void texts.push(currentAnnouncement().text));
      }),
    );
    flushSync();
    texts.length = 0;
    return texts;
  }

  test("name new steps once, in order, also those that were hidden", () => {
    const { update } = open(new FakeMatch(), { to_move: [1], steps: [step(null, "first"), step(0, "ab")] });
    const texts = recordAnnouncements();
    const round = [step(null, "first"), step(1, "cd"), step(0, "ab"), step(null, "second")];
    update({ to_move: [1], steps: round });
    update({ to_move: [1], steps: [...round] });
    expect(texts).toEqual(["1: cd, null: second"]);
  });

  test("name every step of the draft and every undo", () => {
    const { press } = open(new FakeMatch(), {});
    const texts = recordAnnouncements();
    press("a");
    press("b");
    press("u");
    press("u");
    expect(texts).toEqual(["so far a", "so far ab", "Undone. so far a", "Undone. so far"]);
  });

  test("do not repeat the draft when an opponent moves", () => {
    const { update, press } = open(new FakeMatch(), { to_move: [0, 1] });
    press("a");
    const texts = recordAnnouncements();
    update({ to_move: [0], steps: [step(1, "cd")] });
    expect(texts).toEqual(["1: cd"]);
  });
});
