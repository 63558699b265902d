/**
 * The logic of a turn at this screen, from its first step until it is saved: the seat to move, its stored draft, undo, end, take back,
 * the queue of actions, hints and announcements. The match view of a game draws it and calls it for clicks and keys.
 *
 *     const turn = turnController(live, () => match, { createDraft, describeSteps, describeDraft });
 *     turn.draft           // the draft of turn.seat; null while others move
 *     turn.act((draft) => draft.choose("c4"));
 *     turn.end();          // sets turn.error if the turn cannot be saved
 */
import { untrack } from "svelte";
import { announce } from "$lib/app/announce.svelte";
import { type MatchState, type StepState } from "$lib/api";
import { errorMessage } from "$lib/app/errors";
import { t } from "$lib/i18n/messages.svelte";
import { isShortcut } from "$lib/input/shortcuts";
import { ActionQueue } from "./actionQueue";
import { loadDraft, saveDraft, type Draft } from "./draft";
import type { BoardMatch } from "./boardMatch";

/** The effect of a key: false if it has none, true if it changed the draft, or the turn that it ends. */
export type KeyEffect = boolean | { end: string | null };

/** The functions of a game that the controller calls. */
export interface TurnAdapter<D extends Draft> {
  /** Create the draft of a seat that is to move. */
  createDraft: (seat: number, state: MatchState) => D;
  /** Describe new steps for screen readers. */
  describeSteps: (steps: readonly StepState[], state: MatchState) => string;
  /** Describe a draft for screen readers. */
  describeDraft: (draft: D) => string;
  /** Handle a key of the game. `queued` is true if it was pressed while the previous action was not complete. */
  handleKey?: (event: KeyboardEvent, draft: D, queued: boolean) => KeyEffect;
}

type ControllerMatch = Pick<BoardMatch, "play" | "sending" | "suggestion" | "coach" | "takeBack">;

/** Return the first seat at this screen that is to move, or null. */
export function seatToMove({ my_seats, to_move, legal }: MatchState): number | null {
  return my_seats.find((seat) => to_move.includes(seat) && legal[seat]) ?? null;
}

const TAKE_BACK_KEY = "t";
const UNDO_KEYS: readonly string[] = ["u", "z", "escape", "backspace"];

export class TurnController<D extends Draft> {
  /** The seat at this screen that is to move, or null. */
  seat = $state<number | null>(null);
  draft = $state.raw<D | null>(null);
  #saveError = $state.raw<unknown>(null);
  /** The seat whose side of the board the player views instead of their own; null if none. */
  viewedSeat = $state<number | null>(null);

  #state = $state.raw<MatchState>()!;
  #live: ControllerMatch;
  #game: TurnAdapter<D>;
  #actions = new ActionQueue();
  /** For each player, how many of their steps have been announced to screen readers; null stands for chance. */
  #announcedCounts: Map<number | null, number>;
  /** True from an undo until it is announced. */
  #undone = false;

  /** The seat whose side of the board is drawn. */
  readonly displayedSeat: number = $derived(this.viewedSeat ?? this.seat ?? this.#state.my_seats[0] ?? 0);
  /** True while the player to move views the side of another seat. */
  readonly isViewingOtherSeat: boolean = $derived(this.seat !== null && this.displayedSeat !== this.seat);
  /** The draft while it is visible and not being saved; else null. */
  readonly editableDraft: D | null = $derived.by(() => (this.isViewingOtherSeat || this.#live.sending ? null : this.draft));
  readonly #description: string = $derived.by(() => (this.draft ? this.#game.describeDraft(this.draft) : ""));

  constructor(live: ControllerMatch, state: MatchState, game: TurnAdapter<D>) {
    this.#live = live;
    this.#game = game;
    this.#announcedCounts = countStepsByPlayer(state.steps);
    this.#state = state;
    this.#startDraft(state);
  }

  /** Take a new state of the match: keep the draft of the same turn, and announce new steps. */
  update(state: MatchState): void {
    if (state === this.#state) return;
    const before = this.#state;
    this.#state = state;
    if (!sameTurn(before, this.seat, state, seatToMove(state))) this.#startDraft(state);
    const announced = this.#announcedCounts;
    this.#announcedCounts = countStepsByPlayer(state.steps);
    // Turns that become visible are inserted between known steps, so new steps are counted for each player.
    const newSteps = stepsAfter(state.steps, announced);
    const text = newSteps.length ? this.#game.describeSteps(newSteps, state) : "";
    if (text) announce(text);
  }

  #startDraft(state: MatchState): void {
    this.seat = seatToMove(state);
    this.draft = this.seat === null ? null : this.#game.createDraft(this.seat, state);
    const stored = this.seat === null ? null : loadDraft(state, this.seat);
    // If restoring takes time, later actions wait for it.
    const restoring: unknown = stored === null ? null : this.draft?.restore(stored);
    if (restoring instanceof Promise) void this.#actions.run(() => restoring);
  }

  /** Take a step of the turn. While a turn is being saved, the step waits for the next draft. */
  act(step: (draft: D) => unknown): void {
    void this.#actions.run(() => {
      if (!this.draft) return;
      this.#saveError = null;
      return step(this.draft);
    });
  }

  undo(): void {
    this.act((draft) => this.#undo(draft));
  }

  #undo(draft: D): void {
    if (!draft.canUndo) return;
    this.#undone = true;
    draft.undo();
  }

  /** End the turn of the draft. */
  end(): void {
    const queued = this.#actions.busy;
    void this.#actions.run(() => this.draft && this.#end(this.draft, this.draft.turn, queued));
  }

  #end(draft: D, turn: string | null, queued: boolean): Promise<boolean> | undefined {
    // A key that was pressed before the turn began must not end it without a step, which could mean to pass.
    if (turn === null || this.seat === null || this.#live.sending || (queued && !draft.canUndo)) return;
    this.#saveError = null;
    return this.#play(this.seat, turn);
  }

  /** Play a turn; resolve to false if it cannot be saved, so that the queue drops the actions that wait. */
  async #play(seat: number, turn: string): Promise<boolean> {
    return this.#trySave(async () => {
      await this.#live.play(seat, turn);
      this.viewedSeat = null;
    });
  }

  async #trySave(save: () => Promise<void>): Promise<boolean> {
    try {
      await save();
      return true;
    } catch (caught) {
      this.#saveError = caught;
      announce(errorMessage(caught));
      return false;
    }
  }

  /** The message of the last save that failed, or an empty string. */
  get error(): string {
    return this.#saveError === null ? "" : errorMessage(this.#saveError);
  }

  /** True if the last turn can be taken back now. */
  get canTakeBack(): boolean {
    return Boolean(this.#live.takeBack?.available) && !this.#live.sending;
  }

  /** Take back the last turn and the bots' turns after it. */
  takeBack(): void {
    void this.#actions.run(() => this.#takeBack());
  }

  async #takeBack(): Promise<boolean> {
    if (!this.canTakeBack) return true;
    this.#saveError = null;
    return this.#trySave(async () => {
      await this.#live.takeBack?.run();
      announce(t("match.taken-back"));
    });
  }

  /** Handle a key press anywhere on the page. */
  readonly onKeydown = (event: KeyboardEvent): void => {
    const queued = this.#actions.busy;
    if (!isShortcut(event) || (queued && event.repeat)) return;
    // A queued arrow key is handled too late to keep it from scrolling the page.
    if (queued && event.key.startsWith("Arrow")) event.preventDefault();
    if (event.key.toLowerCase() === TAKE_BACK_KEY && !event.ctrlKey && !event.repeat && this.#live.takeBack) {
      event.preventDefault();
      this.takeBack();
    } else void this.#actions.run(() => this.#handleKey(event, queued));
  };

  #handleKey(event: KeyboardEvent, queued: boolean): unknown {
    const draft = this.editableDraft;
    if (!draft) return;
    const key = event.key.toLowerCase();
    let effect = this.#game.handleKey?.(event, draft, queued) ?? false;
    if (effect === false && key === "e") effect = { end: draft.turn };
    if (effect === false && UNDO_KEYS.includes(key)) {
      this.#undo(draft);
      effect = true;
    }
    if (effect === false) return;
    event.preventDefault();
    if (effect !== true) return this.#end(draft, effect.end, queued);
  }

  /** Store the draft. */
  save(): void {
    if (this.draft && this.seat !== null) saveDraft(this.#state, this.seat, this.draft.snapshot);
  }

  /** Announce the draft after each of its steps. */
  announceDraft(): void {
    const draft = this.draft;
    const description = this.#description;
    // Depend on the snapshot: a step is announced even if the description stays the same.
    void draft?.snapshot;
    const undone = this.#undone;
    this.#undone = false;
    if (undone) announce(`${t("match.undone")} ${description}`.trim());
    else if (description && draft?.canUndo) announce(description);
  }

  /** Undo a step that the coach of a lesson rejects. */
  applyCoach(): void {
    const draft = this.draft;
    const partialTurn = draft?.partialTurn ?? null;
    if (draft === null || partialTurn === null) return;
    untrack(() => this.#live.coach?.rejects(partialTurn) && draft.undo());
  }

  /** Apply a suggested turn to the draft. */
  applySuggestion(): void {
    const suggestion = this.#live.suggestion;
    const draft = this.draft;
    if (!suggestion || !draft || suggestion.seat !== this.seat) return;
    this.#live.suggestion = null;
    this.viewedSeat = null;
    untrack(() => void this.#actions.run(() => (draft === this.draft ? draft.applyTurn(suggestion.turn) : undefined)));
  }
}

/** Create a controller during the initialization of a component; it follows the match until the component is destroyed. */
export function turnController<D extends Draft>(
  live: ControllerMatch,
  state: () => MatchState,
  game: TurnAdapter<D>,
): TurnController<D> {
  const turn = untrack(() => new TurnController(live, state(), game));
  $effect.pre(() => {
    const now = state();
    untrack(() => turn.update(now));
  });
  $effect(() => turn.save());
  $effect(() => turn.announceDraft());
  $effect(() => turn.applySuggestion());
  $effect(() => turn.applyCoach());
  return turn;
}

/** Return true if the same seat is to move, in the same turn and with the same legal turns, so that its draft stays. */
function sameTurn(before: MatchState, seat: number | null, after: MatchState, nextSeat: number | null): boolean {
  if (seat !== nextSeat) return false;
  if (seat === null) return true;
  if (before.seats[seat]?.turn_count !== after.seats[seat]?.turn_count) return false;
  const [old, now] = [before.legal[seat], after.legal[seat]];
  return old === now || JSON.stringify(old) === JSON.stringify(now);
}

function countStepsByPlayer(steps: readonly StepState[]): Map<number | null, number> {
  const counts = new Map<number | null, number>();
  for (const { player } of steps) counts.set(player, (counts.get(player) ?? 0) + 1);
  return counts;
}

/** Return the steps that remain after this number of steps of each player. */
function stepsAfter(steps: readonly StepState[], counts: ReadonlyMap<number | null, number>): StepState[] {
  const remaining = new Map(counts);
  return steps.filter(({ player }) => {
    const before = remaining.get(player) ?? 0;
    remaining.set(player, before - 1);
    return before <= 0;
  });
}
