/**
 * A turn as it is made, step by step, until it is ended: which pawn, where to, which tile. Offers only what the server sent, and asks it
 * what each step would lead to.
 */
import { errorMessage } from "$lib/app/errors";
import type { LimitLegal, LimitPreview, LimitRemoval, LimitView } from "../types";
import type { Draft } from "$lib/match/draft";
import { PreviewCache } from "$lib/match/previewCache.svelte";
import type { Pawn } from "../board/scene";
import { turnParts } from "../board/scene";

export type Stage = "pawn" | "target" | "removal" | "ready";

interface Parts {
  source: string | null;
  target: string | null;
  removed: string | null;
}

export class LimitDraft implements Draft {
  #caught = $state.raw<unknown>(null);
  source = $state<string | null>(null);
  target = $state<string | null>(null);
  removed = $state<string | null>(null);
  readonly #pawns: readonly string[];
  /** Tiles that may be removed where no pawn can move. */
  readonly #alone: readonly string[];
  readonly #previews: PreviewCache<LimitPreview>;

  constructor(
    readonly view: LimitView,
    readonly legal: LimitLegal,
    preview: (notation: string) => Promise<LimitPreview>,
  ) {
    this.#previews = new PreviewCache(preview);
    this.#pawns = Object.keys(legal.moves);
    this.#alone = legal.alone.filter((turn) => turn.startsWith("x")).map((turn) => turn.slice(1));
    for (const name of this.#alone) this.#previews.prefetch(`x${name}`);
  }

  /** The pawn move as it is written; null before there is one. */
  get #move(): string | null {
    return this.source !== null && this.target !== null ? `${this.source}-${this.target}` : null;
  }

  /** What the server says about the pawn move; null until it has. */
  get moved(): LimitPreview | null {
    return this.#previews.get(this.#move);
  }

  /** Whether the server has yet to say what the pawn move leads to. */
  get loading(): boolean {
    return this.target !== null && this.moved === null;
  }

  /** Why a step could not be looked at. */
  get error(): string {
    return this.#caught === null ? "" : errorMessage(this.#caught);
  }

  get stage(): Stage {
    if (this.removed !== null || this.moved?.complete) return "ready";
    if (this.target !== null) return "removal";
    if (this.source !== null) return "target";
    return this.#pawns.length ? "pawn" : this.#alone.length ? "removal" : "ready";
  }

  get canUndo(): boolean {
    return this.source !== null || this.removed !== null;
  }

  /** Whether only passing is left. */
  get passes(): boolean {
    return !this.#pawns.length && !this.#alone.length;
  }

  get partialTurn(): string | null {
    return this.#move === null ? null : this.#with(this.removed);
  }

  #with(removed: string | null): string {
    return [this.#move ?? "", removed === null ? "" : `x${removed}`].filter(Boolean).join(" ");
  }

  /** What choosing a tile would mean, as it is written, also where it is not allowed. */
  attempt(name: string): string {
    if (this.target !== null) return this.#with(name);
    return this.source === null ? name : `${this.source}-${name}`;
  }

  get turn(): string | null {
    if (this.stage !== "ready") return null;
    return this.#with(this.removed) || "-";
  }

  /** What may be chosen now. */
  readonly choices: ReadonlySet<string> = $derived(new Set(this.#offered()));

  #offered(): readonly string[] {
    if (this.target !== null) return this.removable;
    if (this.source !== null) return [...this.reachOf(this.source), ...this.#pawns];
    return this.#pawns.length ? this.#pawns : this.#alone;
  }

  /** The tiles that may be removed as the turn stands. */
  get removable(): readonly string[] {
    return this.target === null ? this.#alone : Object.keys(this.moved?.removals ?? {});
  }

  /** Whether a pawn stands on the tile that may be picked, or picked instead of another. */
  isPawn(name: string): boolean {
    return this.target === null && name in this.legal.moves;
  }

  /** What removing a tile leads to, as far as that is known. */
  removal(name: string): LimitRemoval | null {
    return this.target === null ? this.#previews.get(`x${name}`) : (this.moved?.removals[name] ?? null);
  }

  /** What going there, or removing it, captures. */
  captures(name: string): Pawn[] {
    if (this.target === null && this.source !== null) return this.legal.moves[this.source]?.[name] ?? [];
    return this.removal(name)?.captured ?? [];
  }

  /** The tiles that go under with this one. */
  sinks(name: string): string[] {
    return this.removal(name)?.sunk ?? [name];
  }

  reachOf(name: string): string[] {
    return Object.keys(this.legal.moves[name] ?? {});
  }

  /** What the pawn move captures. */
  get captured(): Pawn[] {
    return this.moved?.captured ?? this.legal.moves[this.source ?? ""]?.[this.target ?? ""] ?? [];
  }

  pick(name: string): void {
    if (!this.isPawn(name)) return;
    this.source = this.source === name ? null : name;
    this.#caught = null;
  }

  /** Take hold of a pawn to carry it. */
  hold(name: string): void {
    if (this.isPawn(name)) this.source = name;
  }

  async choose(name: string): Promise<void> {
    if (!this.choices.has(name)) return;
    if (this.isPawn(name)) this.pick(name);
    else if (this.target !== null || this.source === null) this.removed = name;
    else await this.#moveTo(name);
  }

  async #moveTo(name: string): Promise<void> {
    this.target = name;
    this.#caught = null;
    const move = this.#move!;
    try {
      await this.#previews.load(move);
    } catch (caught) {
      if (this.#move !== move) return;
      this.target = null;
      this.#caught = caught;
    }
  }

  applyTurn(turn: string): Promise<void> {
    return this.restore(turnParts(turn));
  }

  get snapshot(): Parts | null {
    return this.canUndo ? { source: this.source, target: this.target, removed: this.removed } : null;
  }

  async restore(snapshot: unknown): Promise<void> {
    const { source, target, removed } = snapshot as Partial<Parts>;
    this.source = this.target = this.removed = null;
    if (source) this.pick(source);
    for (const name of [target, removed]) if (name) await this.choose(name);
  }

  undo(): void {
    this.#caught = null;
    if (this.removed !== null) this.removed = null;
    else if (this.target !== null) this.target = null;
    else this.source = null;
  }
}
