/**
 * The turn that is made at this screen, from its first step until it is saved, without a pixel: which seat acts, its draft and where that
 * is stored, undoing and ending, what waits meanwhile, hints to be followed, and what is said of it all. A table draws it and turns clicks
 * and keys into calls.
 *
 *     const turn = turnController(live, () => match, { begin, happened, describe });
 *     turn.draft           // what is being made by turn.seat; null while others move
 *     turn.act((draft) => draft.choose("c4"));
 *     turn.end();          // and turn.error, if it could not be saved
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

/** What a key did: nothing, something, or it ends the turn as this one. */
export type KeyEffect = boolean | { end: string | null };

/** What a game brings. */
export interface TurnAdapter<D extends Draft> {
  /** The draft of a seat that may move now. */
  begin: (seat: number, state: MatchState) => D;
  /** What just happened, in words. */
  happened: (steps: readonly StepState[], state: MatchState) => string;
  /** The turn as it stands, in words. */
  describe: (draft: D) => string;
  /** Keys of the game's own. One that was pressed while the last turn was being saved is late. */
  key?: (event: KeyboardEvent, draft: D, late: boolean) => KeyEffect;
}

type ControllerMatch = Pick<BoardMatch, "play" | "sending" | "suggestion" | "coach" | "takeBack">;

/** The seat at this screen that is to move; with several, one after the other. */
export function seatToMove({ my_seats, to_move, legal }: MatchState): number | null {
  return my_seats.find((seat) => to_move.includes(seat) && legal[seat]) ?? null;
}

const TAKE_BACK = "t";
const UNDO: readonly string[] = ["u", "z", "escape", "backspace"];

export class TurnController<D extends Draft> {
  /** The seat at this screen whose turn it is. */
  seat = $state<number | null>(null);
  draft = $state.raw<D | null>(null);
  #caught = $state.raw<unknown>(null);
  /** The seat whose side of the table is looked at instead of that of who acts. */
  watched = $state<number | null>(null);

  #state = $state.raw<MatchState>()!;
  #live: ControllerMatch;
  #game: TurnAdapter<D>;
  #actions = new ActionQueue();
  /** How much of what each player did, and chance, was said already. */
  #heard: Map<number | null, number>;
  #undone = false;

  /** The seat whose side of the table is to be drawn. */
  readonly shown: number = $derived(this.watched ?? this.seat ?? this.#state.my_seats[0] ?? 0);
  /** Whether another side of the table is looked at than that of who acts. */
  readonly away: boolean = $derived(this.seat !== null && this.shown !== this.seat);
  /** The draft, while its steps may be taken at once: it is in sight, and not being saved. */
  readonly free: D | null = $derived.by(() => (this.away || this.#live.sending ? null : this.draft));
  readonly #description: string = $derived.by(() => (this.draft ? this.#game.describe(this.draft) : ""));

  constructor(live: ControllerMatch, state: MatchState, game: TurnAdapter<D>) {
    this.#live = live;
    this.#game = game;
    this.#heard = countStepsByPlayer(state.steps);
    this.#state = state;
    this.#begin(state);
  }

  /** The match has gone on, or was sent again. */
  update(state: MatchState): void {
    if (state === this.#state) return;
    const before = this.#state;
    this.#state = state;
    if (!sameTurn(before, this.seat, state, seatToMove(state))) this.#begin(state);
    const heard = this.#heard;
    this.#heard = countStepsByPlayer(state.steps);
    // Turns that were hidden come in between others: what is new is counted for each player.
    const fresh = stepsAfter(state.steps, heard);
    const said = fresh.length ? this.#game.happened(fresh, state) : "";
    if (said) announce(said);
  }

  #begin(state: MatchState): void {
    this.seat = seatToMove(state);
    this.draft = this.seat === null ? null : this.#game.begin(this.seat, state);
    const stored = this.seat === null ? null : loadDraft(state, this.seat);
    // A turn half made goes on where it was left; what takes time is done before anything else.
    const restoring: unknown = stored === null ? null : this.draft?.restore(stored);
    if (restoring instanceof Promise) void this.#actions.run(() => restoring);
  }

  /** Take a step of the turn. While one is being saved, it waits for the next one. */
  act(step: (draft: D) => unknown): void {
    void this.#actions.run(() => {
      if (!this.draft) return;
      this.#caught = null;
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

  /** End the turn as it stands. */
  end(): void {
    const late = this.#actions.busy;
    void this.#actions.run(() => this.draft && this.#end(this.draft, this.draft.turn, late));
  }

  #end(draft: D, turn: string | null, late: boolean): Promise<boolean> | undefined {
    // Nobody passes by a key that was pressed before it was their turn.
    if (turn === null || this.seat === null || this.#live.sending || (late && !draft.canUndo)) return;
    this.#caught = null;
    return this.#play(this.seat, turn);
  }

  /** Says whether it was saved; if not, what waits was meant for another position. */
  async #play(seat: number, turn: string): Promise<boolean> {
    return this.#saved(async () => {
      await this.#live.play(seat, turn);
      this.watched = null;
    });
  }

  async #saved(save: () => Promise<void>): Promise<boolean> {
    try {
      await save();
      return true;
    } catch (caught) {
      this.#caught = caught;
      announce(errorMessage(caught));
      return false;
    }
  }

  /** Why the turn could not be saved. */
  get error(): string {
    return this.#caught === null ? "" : errorMessage(this.#caught);
  }

  /** Whether the last turn can be taken back now. */
  get canTakeBack(): boolean {
    return Boolean(this.#live.takeBack?.ready) && !this.#live.sending;
  }

  /** Take back the last turn, and what bots have answered. */
  takeBack(): void {
    void this.#actions.run(() => this.#takeBack());
  }

  async #takeBack(): Promise<boolean> {
    if (!this.canTakeBack) return true;
    this.#caught = null;
    return this.#saved(async () => {
      await this.#live.takeBack?.run();
      announce(t("match.taken-back"));
    });
  }

  /** A key was pressed somewhere on the page. */
  readonly keyed = (event: KeyboardEvent): void => {
    const late = this.#actions.busy;
    if (!isShortcut(event) || (late && event.repeat)) return;
    // What it does comes later; till then it must not scroll the page.
    if (late && event.key.startsWith("Arrow")) event.preventDefault();
    if (event.key.toLowerCase() === TAKE_BACK && !event.ctrlKey && !event.repeat && this.#live.takeBack) {
      event.preventDefault();
      this.takeBack();
    } else void this.#actions.run(() => this.#press(event, late));
  };

  #press(event: KeyboardEvent, late: boolean): unknown {
    const draft = this.free;
    if (!draft) return;
    const name = event.key.toLowerCase();
    let effect = this.#game.key?.(event, draft, late) ?? false;
    if (effect === false && name === "e") effect = { end: draft.turn };
    if (effect === false && UNDO.includes(name)) {
      this.#undo(draft);
      effect = true;
    }
    if (effect === false) return;
    event.preventDefault();
    if (effect !== true) return this.#end(draft, effect.end, late);
  }

  /** Store what was done so far. */
  save(): void {
    if (this.draft && this.seat !== null) saveDraft(this.#state, this.seat, this.draft.snapshot);
  }

  /** Say what the turn looks like now, for those who make it by ear. */
  describe(): void {
    const draft = this.draft;
    const said = this.#description;
    // Every step is said, even where the words are the same.
    void draft?.snapshot;
    const undone = this.#undone;
    this.#undone = false;
    if (undone) announce(`${t("match.undone")} ${said}`.trim());
    else if (said && draft?.canUndo) announce(said);
  }

  /** In a lesson: take back what leads astray. */
  heedCoach(): void {
    const draft = this.draft;
    const part = draft?.part ?? null;
    if (draft === null || part === null) return;
    untrack(() => this.#live.coach?.objects(part) && draft.undo());
  }

  /** Show a hint on the board. */
  followHint(): void {
    const hint = this.#live.suggestion;
    const draft = this.draft;
    if (!hint || !draft || hint.seat !== this.seat) return;
    this.#live.suggestion = null;
    this.watched = null;
    untrack(() => void this.#actions.run(() => (draft === this.draft ? draft.follow(hint.turn) : undefined)));
  }
}

/** The controller of a table, which follows the match as long as the table is there. */
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
  $effect(() => turn.describe());
  $effect(() => turn.followHint());
  $effect(() => turn.heedCoach());
  return turn;
}

/** Whether it is still the same turn, with the same choices: then its draft goes on. */
function sameTurn(before: MatchState, seat: number | null, after: MatchState, acting: number | null): boolean {
  if (seat !== acting) return false;
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

/** The steps that come after so many of each player. */
function stepsAfter(steps: readonly StepState[], known: ReadonlyMap<number | null, number>): StepState[] {
  const left = new Map(known);
  return steps.filter(({ player }) => {
    const before = left.get(player) ?? 0;
    left.set(player, before - 1);
    return before <= 0;
  });
}
