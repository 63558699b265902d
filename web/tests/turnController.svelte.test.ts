import { flushSync, tick } from "svelte";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { currentAnnouncement } from "../src/lib/app/announce.svelte";
import { ApiError, type MatchState, type StepState } from "../src/lib/api";
import type { Draft } from "../src/lib/match/draft";
import { turnController, type TurnController, type TurnAdapter } from "../src/lib/match/turnController.svelte";
import { setLanguage, withMessages } from "../src/lib/i18n/messages.svelte";

/** A turn of letters, ended once there are two. */
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
  follow(turn: string): void {
    this.letters = turn;
  }
  restore(snapshot: unknown): void {
    this.letters = String(snapshot);
  }
}

const GAME: TurnAdapter<Letters> = {
  begin: (seat, { legal }) => new Letters(String(legal[seat])),
  happened: (steps) => steps.map(({ player, text }) => `${player}: ${text}`).join(", "),
  describe: ({ letters }) => `so far ${letters}`,
  key: ({ key }, draft) => {
    if (key === "!") return { end: `${draft.letters}!` };
    if (!draft.allowed.includes(key)) return false;
    draft.write(key);
    return true;
  },
};

/** The server's side: turns that are saved, or not, when the test says so. */
class Server {
  suggestion = $state.raw<{ seat: number; turn: string } | null>(null);
  sending = $state(false);
  played: string[] = [];
  #answer: { done: () => void; failed: (error: ApiError) => void } | null = null;

  play(seat: number, turn: string): Promise<void> {
    this.played.push(`${seat} ${turn}`);
    this.sending = true;
    return new Promise<void>((done, failed) => (this.#answer = { done, failed })).finally(() => (this.sending = false));
  }
  async saves(): Promise<void> {
    this.#answer!.done();
    await settled();
  }
  async refuses(): Promise<void> {
    this.#answer!.failed(new ApiError("stale"));
    await settled();
  }
}

async function settled(): Promise<void> {
  for (let i = 0; i < 5; i++) await tick();
  flushSync();
}

interface Told {
  mine?: number[];
  to_move?: number[];
  steps?: StepState[];
  legal?: Record<number, string>;
}

/** A match in which each seat has played as many turns as there are steps of it. */
function matchOf({ mine = [0], to_move = [0], steps = [], legal = { 0: "ab", 1: "cd" } }: Told): MatchState {
  const seats = [0, 1].map((seat) => ({ turn_count: steps.filter(({ player }) => player === seat).length }));
  return { match_id: "some-match", my_seats: mine, to_move, steps, seats, legal } as unknown as MatchState;
}

const stored = new Map<string, string>();
let closers: (() => void)[] = [];

/** What a table does when it is opened. */
function open(server: Server, told: Told) {
  let state = $state.raw(matchOf(told));
  let turn!: TurnController<Letters>;
  closers.push(
    $effect.root(() => {
      turn = turnController(server, () => state, GAME);
    }),
  );
  flushSync();
  return {
    turn,
    update: (next: Told) => {
      state = matchOf(next);
      flushSync();
    },
    press: (...keys: string[]) => {
      for (const key of keys) turn.keyed({ key, target: null, preventDefault: () => undefined } as unknown as KeyboardEvent);
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
  closers.forEach((close) => close());
  closers = [];
  vi.unstubAllGlobals();
});

describe("whose seat acts", () => {
  test("one of mine that may move; nobody while others do, or where I only watch", () => {
    expect(open(new Server(), { mine: [0, 1], to_move: [1] }).turn.seat).toBe(1);
    expect(open(new Server(), { mine: [0, 1], to_move: [0, 1] }).turn.seat).toBe(0);
    const waiting = open(new Server(), { mine: [0], to_move: [1] }).turn;
    expect([waiting.seat, waiting.draft, waiting.shown]).toEqual([null, null, 0]);
    expect(open(new Server(), { mine: [], to_move: [0] }).turn.seat).toBe(null);
  });

  test("at one screen the next seat begins its own turn when one is saved", async () => {
    const server = new Server();
    const { turn, update, press } = open(server, { mine: [0, 1], to_move: [0] });
    press("a", "b", "e");
    update({ mine: [0, 1], to_move: [1], steps: [step(0, "ab")] });
    await server.saves();
    expect([turn.seat, turn.draft?.letters, server.played]).toEqual([1, "", ["0 ab"]]);
    press("c");
    expect(turn.draft?.letters).toBe("c");
  });

  test("while another side of the table is looked at, keys leave the turn alone", () => {
    const { turn, press } = open(new Server(), {});
    turn.watched = 1;
    press("a");
    expect([turn.away, turn.shown, turn.draft?.letters]).toEqual([true, 1, ""]);
    turn.watched = null;
    press("a");
    expect([turn.away, turn.draft?.letters]).toEqual([false, "a"]);
  });
});

describe("the draft", () => {
  test("goes on after a reload, till its turn is saved", async () => {
    const server = new Server();
    open(server, {}).press("a");
    const again = open(server, {});
    expect(again.turn.draft?.letters).toBe("a");
    again.press("b", "e");
    again.update({ steps: [step(0, "ab")] });
    await server.saves();
    expect(again.turn.draft?.letters).toBe("");
    expect(open(server, { steps: [step(0, "ab")] }).turn.draft?.letters).toBe("");
  });

  test("stays when the same state is sent again, or somebody else moves meanwhile", () => {
    const { turn, update, press } = open(new Server(), { to_move: [0, 1] });
    press("a");
    const { draft } = turn;
    update({ to_move: [0, 1] });
    update({ to_move: [0], steps: [step(1, "cd")] });
    expect(turn.draft).toBe(draft);
  });

  test("is taken up again where other turns have become legal", () => {
    const { turn, update, press } = open(new Server(), {});
    press("a");
    update({ legal: { 0: "xyz" } });
    expect([turn.draft?.allowed, turn.draft?.letters]).toEqual(["xyz", "a"]);
  });

  test("is undone step by step", () => {
    const { turn, press } = open(new Server(), {});
    press("a", "b", "u");
    expect(turn.draft?.letters).toBe("a");
    turn.undo();
    turn.undo();
    expect([turn.draft?.letters, turn.draft?.canUndo]).toEqual(["", false]);
  });

  test("follows a hint for the seat that acts, and shows it", () => {
    const server = new Server();
    const { turn } = open(server, {});
    turn.watched = 1;
    server.suggestion = { seat: 1, turn: "cd" };
    flushSync();
    expect([turn.draft?.letters, turn.away]).toEqual(["", true]);
    server.suggestion = { seat: 0, turn: "ba" };
    flushSync();
    expect([turn.draft?.letters, turn.away, server.suggestion]).toEqual(["ba", false, null]);
  });
});

describe("while a turn is being saved", () => {
  test("it is sent once, and its end is not asked for before it is complete", async () => {
    const server = new Server();
    const { turn, update, press } = open(server, {});
    press("a", "e");
    expect(server.played).toEqual([]);
    press("b", "e");
    turn.end();
    expect([server.played, turn.free]).toEqual([["0 ab"], null]);
    update({ steps: [step(0, "ab")] });
    await server.saves();
    expect(server.played).toEqual(["0 ab"]);
  });

  test("keys wait for the next one", async () => {
    const server = new Server();
    const { turn, update, press } = open(server, {});
    press("a", "b", "e", "b", "a", "u");
    expect(turn.draft?.letters).toBe("ab");
    update({ steps: [step(0, "ab")] });
    await server.saves();
    expect(turn.draft?.letters).toBe("b");
  });

  test("what ends a turn in a way of its own waits too, but ends none that was not begun", async () => {
    const server = new Server();
    const { update, press } = open(server, {});
    press("a", "!", "b", "!", "!");
    update({ steps: [step(0, "a!")] });
    await server.saves();
    expect(server.played).toEqual(["0 a!", "0 b!"]);
    update({ steps: [step(0, "a!"), step(0, "b!")] });
    await server.saves();
    expect(server.played).toHaveLength(2);
  });

  test("and cannot be, it says why, keeps the draft and forgets what waited", async () => {
    const server = new Server();
    const { turn, press } = open(server, {});
    press("a", "b", "e", "u", "u");
    await server.refuses();
    expect([turn.draft?.letters, turn.error]).toEqual([
      "ab",
      "The game has moved on in the meantime. Look at the board and choose again.",
    ]);
    expect(currentAnnouncement().text).toBe(turn.error);
    press("e");
    expect([server.played, turn.error]).toEqual([["0 ab", "0 ab"], ""]);
  });
});

describe("for those who hear the page", () => {
  /** All that is said meanwhile. */
  function listen(): string[] {
    const said: string[] = [];
    closers.push(
      $effect.root(() => {
        $effect(() => void said.push(currentAnnouncement().text));
      }),
    );
    flushSync();
    said.length = 0;
    return said;
  }

  test("what happened is said once, in the order of the record, with turns that were hidden till now", () => {
    const { update } = open(new Server(), { to_move: [1], steps: [step(null, "first"), step(0, "ab")] });
    const said = listen();
    const round = [step(null, "first"), step(1, "cd"), step(0, "ab"), step(null, "second")];
    update({ to_move: [1], steps: round });
    update({ to_move: [1], steps: [...round] });
    expect(said).toEqual(["1: cd, null: second"]);
  });

  test("every step of the turn is said, and that one was undone", () => {
    const { press } = open(new Server(), {});
    const said = listen();
    press("a");
    press("b");
    press("u");
    press("u");
    expect(said).toEqual(["so far a", "so far ab", "Undone. so far a", "Undone. so far"]);
  });

  test("a turn is not described again because others have moved", () => {
    const { update, press } = open(new Server(), { to_move: [0, 1] });
    press("a");
    const said = listen();
    update({ to_move: [0], steps: [step(1, "cd")] });
    expect(said).toEqual(["1: cd"]);
  });
});
