// A turn as it is made, step by step, until it is ended: which pawn, where to, which tile. Offers only what the server
// sent, and asks it what each step would lead to.

import type { LimitGroup, LimitLegal, LimitPreview, LimitRemoval, LimitView } from "$lib/api";
import { errorMessage } from "$lib/api";
import type { Pawn, Scene } from "./board";
import { route } from "./geometry";

export type Stage = "watch" | "pawn" | "target" | "removal" | "ready";

interface Parts {
  source: string | null;
  target: string | null;
  removed: string | null;
}

export class LimitDraft {
  view = $state.raw<LimitView>()!;
  legal = $state.raw<LimitLegal | null>(null);
  /** The tile that is pointed at or has the focus. */
  pointed = $state<string | null>(null);
  /** Why a step could not be looked at. */
  error = $state("");
  #source = $state<string | null>(null);
  #target = $state<string | null>(null);
  #removed = $state<string | null>(null);
  /** What the server says about the first part. */
  #half = $state.raw<LimitPreview | null>(null);
  /** What it says about removals without a pawn move. */
  #looked = $state.raw<Record<string, LimitRemoval>>({});
  #look: (turn: string) => Promise<LimitPreview>;

  constructor(look: (turn: string) => Promise<LimitPreview>) {
    this.#look = look;
  }

  /** A new position: whatever was begun is forgotten. */
  begin(view: LimitView, legal: LimitLegal | null): void {
    this.view = view;
    this.legal = legal;
    this.#source = this.#target = this.#removed = this.#half = null;
    this.#looked = {};
    this.error = "";
    for (const name of this.#alone) void this.#lookAt(name);
  }

  async #lookAt(name: string): Promise<void> {
    const view = this.view;
    const found = await this.#look(`x${name}`).catch(() => null);
    if (found && this.view === view) this.#looked = { ...this.#looked, [name]: found };
  }

  readonly stage: Stage = $derived.by(() => {
    if (!this.legal) return "watch";
    if (this.#removed !== null) return "ready";
    if (this.#half?.complete) return "ready";
    if (this.#target !== null) return "removal";
    if (this.#source !== null) return "target";
    return this.#pawns.length ? "pawn" : this.#alone.length ? "removal" : "ready";
  });

  readonly #pawns = $derived(Object.keys(this.legal?.moves ?? {}));
  /** Tiles that may be removed where no pawn can move. */
  readonly #alone = $derived((this.legal?.alone ?? []).filter((turn) => turn.startsWith("x")).map((turn) => turn.slice(1)));

  readonly #removals: Record<string, LimitRemoval> = $derived(
    this.#target === null ? this.#looked : (this.#half?.removals ?? {}),
  );

  get source(): string | null {
    return this.#source;
  }

  get target(): string | null {
    return this.#target;
  }

  get removed(): string | null {
    return this.#removed;
  }

  get canUndo(): boolean {
    return this.#source !== null || this.#removed !== null;
  }

  /** Whether only passing is left. */
  readonly passes: boolean = $derived(this.legal !== null && !this.#pawns.length && !this.#alone.length);
  /** What may be chosen now. */
  readonly choices: ReadonlySet<string> = $derived(new Set(this.#offered()));

  #offered(): string[] {
    if (!this.legal) return [];
    if (this.#target !== null) return Object.keys(this.#half?.removals ?? {});
    if (this.#source !== null) return [...Object.keys(this.legal.moves[this.#source] ?? {}), ...this.#pawns];
    return this.#pawns.length ? this.#pawns : this.#alone;
  }

  /** Whether a pawn stands on the tile that may be picked, or picked instead of another. */
  isPawn(name: string): boolean {
    return this.#target === null && name in (this.legal?.moves ?? {});
  }

  /** What going there, or removing it, captures. */
  captures(name: string): Pawn[] {
    if (this.#target === null && this.#source !== null) return this.legal?.moves[this.#source]?.[name] ?? [];
    return this.#removals[name]?.captured ?? [];
  }

  /** The tiles that go under with this one. */
  sinks(name: string): string[] {
    return this.#removals[name]?.sunk ?? [name];
  }

  reachOf(name: string): string[] {
    return Object.keys(this.legal?.moves[name] ?? {});
  }

  /** How the server writes it. */
  readonly notation: string = $derived.by(() => {
    const way = this.#source !== null && this.#target !== null ? `${this.#source}-${this.#target}` : "";
    const gone = this.#removed !== null ? `x${this.#removed}` : "";
    return `${way} ${gone}`.trim() || "-";
  });

  /** All that the turn captures as it stands. */
  readonly captured: Pawn[] = $derived.by(() => {
    const first = this.#half?.captured ?? (this.#target !== null ? this.#moveCaptures : []);
    const then = this.#removed === null ? [] : (this.#removals[this.#removed]?.captured ?? []);
    return [...first, ...then];
  });

  readonly sunk: string[] = $derived(this.#removed === null ? [] : this.sinks(this.#removed));

  get #moveCaptures(): Pawn[] {
    return this.legal?.moves[this.#source ?? ""]?.[this.#target ?? ""] ?? [];
  }

  pick(name: string): void {
    if (!this.isPawn(name)) return;
    this.#source = this.#source === name ? null : name;
    this.error = "";
  }

  /** Take hold of a pawn to carry it. */
  hold(name: string): void {
    if (this.isPawn(name)) this.#source = name;
  }

  async choose(name: string): Promise<void> {
    if (!this.choices.has(name)) return;
    if (this.isPawn(name)) this.pick(name);
    else if (this.#target !== null || this.#source === null) this.#removed = name;
    else await this.#move(name);
  }

  async #move(name: string): Promise<void> {
    this.#target = name;
    this.error = "";
    const asked = this.notation;
    try {
      const half = await this.#look(asked);
      if (this.notation === asked && this.#target === name) this.#half = half;
    } catch (caught) {
      if (this.notation !== asked) return;
      this.#target = null;
      this.error = errorMessage(caught);
    }
  }

  /** Do what a turn, or a part of one, says, as far as it is offered; it can be undone step by step. */
  async follow({ source, target, removed }: Parts): Promise<void> {
    this.begin(this.view, this.legal);
    if (source) this.pick(source);
    for (const name of [target, removed]) if (name) await this.choose(name);
  }

  /** What was done so far, for keeping; null if nothing. */
  get kept(): Parts | null {
    return this.canUndo ? { source: this.#source, target: this.#target, removed: this.#removed } : null;
  }

  undo(): void {
    this.error = "";
    if (this.#removed !== null) this.#removed = null;
    else if (this.#target !== null) this.#target = this.#half = null;
    else this.#source = null;
  }

  /** What the board shows: the position, what the turn has done so far, and what is pointed at would do. */
  scene(overlay: boolean): Scene {
    const view = this.view;
    if (this.#source === null && this.#removed === null) return this.#untouched(overlay);
    const shown = this.pointed !== null && this.choices.has(this.pointed) && !this.isPawn(this.pointed) ? this.pointed : null;
    if (this.#target === null && this.#source !== null) {
      const reach = this.reachOf(this.#source);
      const fallen = shown === null ? [] : this.captures(shown);
      const free = Object.keys(view.tiles).filter((name) => !view.pawns.some((names) => names.includes(name)));
      return {
        tiles: view.tiles,
        pawns: without(view.pawns, fallen),
        captured: fallen,
        ...marks(overlay, view.danger),
        reach,
        picked: this.#source,
        way: shown === null ? [] : route(this.#source, shown, free),
        takes: counts(reach, (name) => this.captures(name).length),
      };
    }
    const gone = shown ?? this.#removed;
    const first = this.#half?.captured ?? this.#moveCaptures;
    const fallen = [...first, ...(gone === null ? [] : this.captures(gone))];
    const sunk = gone === null ? [] : this.sinks(gone);
    const pawns = this.#target === null ? view.pawns : moved(view.pawns, this.#source!, this.#target);
    const removable = this.#target === null ? this.#alone : Object.keys(this.#half?.removals ?? {});
    const danger =
      (gone === null ? this.#half?.danger : this.#removals[gone]?.danger) ?? (this.#target === null ? view.danger : []);
    return {
      tiles: view.tiles,
      pawns: without(pawns, fallen),
      captured: fallen,
      ...marks(overlay, danger),
      sunk: sunk.map((name) => [name, view.tiles[name] ?? "K"] as const),
      moved: this.#target === null ? null : [this.#source!, this.#target],
      removable: removable.filter((name) => !sunk.includes(name)),
      takes: counts(removable, (name) => this.captures(name).length),
    };
  }

  #untouched(overlay: boolean): Scene {
    const view = this.view;
    const last = view.last;
    const pointed = this.pointed !== null && this.isPawn(this.pointed) ? this.pointed : null;
    return {
      tiles: view.tiles,
      pawns: view.pawns,
      sunk: last?.sunk as [string, string][] | undefined,
      captured: last?.captured as Pawn[] | undefined,
      moved: last?.source && last.target ? [last.source, last.target] : null,
      ...marks(overlay, view.danger),
      reach: pointed === null ? [] : this.reachOf(pointed),
      removable: this.legal ? this.#alone : [],
    };
  }
}

/** Rings around those in danger, and where they still breathe. */
function marks(shown: boolean, danger: readonly LimitGroup[]): Pick<Scene, "danger" | "breath"> {
  if (!shown) return {};
  return { danger: danger.flatMap(({ pawns }) => pawns), breath: danger.flatMap(({ freedoms }) => freedoms) };
}

function without(pawns: readonly (readonly string[])[], fallen: readonly Pawn[]): string[][] {
  const gone = new Set(fallen.map(([name]) => name));
  return pawns.map((names) => names.filter((name) => !gone.has(name)));
}

function moved(pawns: readonly (readonly string[])[], source: string, target: string): string[][] {
  return pawns.map((names) => names.map((name) => (name === source ? target : name)));
}

function counts(names: readonly string[], count: (name: string) => number): Record<string, number> {
  return Object.fromEntries(names.map((name) => [name, count(name)] as const).filter(([, number]) => number > 0));
}
