/** The draft of a turn of Limit: pawn, target and removed tile. Legal choices and previews come from the server. */
import { errorMessage } from "$lib/app/errors";
import type { LimitLegal, LimitPreview, LimitRemoval, LimitView } from "../types";
import type { Draft } from "$lib/match/draft";
import { PreviewCache } from "$lib/match/previewCache.svelte";
import type { Pawn } from "../board/scene";
import { turnParts } from "../board/scene";

export type Stage = "pawn" | "target" | "removal" | "ready";

interface TurnParts {
  source: string | null;
  target: string | null;
  removed: string | null;
}

export class LimitDraft implements Draft {
  #error = $state.raw<unknown>(null);
  source = $state<string | null>(null);
  target = $state<string | null>(null);
  removed = $state<string | null>(null);
  /** Tiles of the pawns that can move. */
  readonly #movablePawns: readonly string[];
  /** Tiles that can be removed without a pawn move, if no pawn can move. */
  readonly #removalsAlone: readonly string[];
  readonly #previews: PreviewCache<LimitPreview>;

  constructor(
    readonly view: LimitView,
    readonly legal: LimitLegal,
    preview: (notation: string) => Promise<LimitPreview>,
  ) {
    this.#previews = new PreviewCache(preview);
    this.#movablePawns = Object.keys(legal.moves);
    this.#removalsAlone = legal.alone.filter((turn) => turn.startsWith("x")).map((turn) => turn.slice(1));
    for (const name of this.#removalsAlone) this.#previews.prefetch(`x${name}`);
  }

  /** Notation of the pawn move; null before it is made. */
  get #move(): string | null {
    return this.source !== null && this.target !== null ? `${this.source}-${this.target}` : null;
  }

  /** The server's preview of the pawn move; null until it has arrived. */
  get movePreview(): LimitPreview | null {
    return this.#previews.get(this.#move);
  }

  /** True while the preview of the pawn move is loading. */
  get loading(): boolean {
    return this.target !== null && this.movePreview === null;
  }

  /** The error of the last preview, as text. */
  get error(): string {
    return this.#error === null ? "" : errorMessage(this.#error);
  }

  get stage(): Stage {
    if (this.removed !== null || this.movePreview?.complete) return "ready";
    if (this.target !== null) return "removal";
    if (this.source !== null) return "target";
    return this.#movablePawns.length ? "pawn" : this.#removalsAlone.length ? "removal" : "ready";
  }

  get canUndo(): boolean {
    return this.source !== null || this.removed !== null;
  }

  /** True if passing is the only legal turn. */
  get mustPass(): boolean {
    return !this.#movablePawns.length && !this.#removalsAlone.length;
  }

  get partialTurn(): string | null {
    return this.#move === null ? null : this.#notationWith(this.removed);
  }

  #notationWith(removed: string | null): string {
    return [this.#move ?? "", removed === null ? "" : `x${removed}`].filter(Boolean).join(" ");
  }

  /** Return the notation of the turn after a choice of the tile, even if the choice is illegal. */
  notationAfter(name: string): string {
    if (this.target !== null) return this.#notationWith(name);
    return this.source === null ? name : `${this.source}-${name}`;
  }

  get turn(): string | null {
    if (this.stage !== "ready") return null;
    return this.#notationWith(this.removed) || "-";
  }

  /** The tiles that can be chosen now. */
  readonly choices: ReadonlySet<string> = $derived(new Set(this.#legalChoices()));

  #legalChoices(): readonly string[] {
    if (this.target !== null) return this.removable;
    if (this.source !== null) return [...this.reachableTiles(this.source), ...this.#movablePawns];
    return this.#movablePawns.length ? this.#movablePawns : this.#removalsAlone;
  }

  /** The tiles that can be removed now. */
  get removable(): readonly string[] {
    return this.target === null ? this.#removalsAlone : Object.keys(this.movePreview?.removals ?? {});
  }

  /** Return true if the tile has a pawn that can be picked, also instead of another one. */
  canPickPawn(name: string): boolean {
    return this.target === null && name in this.legal.moves;
  }

  /** Return the preview of removing a tile; null until it has arrived. */
  removal(name: string): LimitRemoval | null {
    return this.target === null ? this.#previews.get(`x${name}`) : (this.movePreview?.removals[name] ?? null);
  }

  /** Return the pawns that are captured by moving to a tile, or by removing it. */
  capturedBy(name: string): Pawn[] {
    if (this.target === null && this.source !== null) return this.legal.moves[this.source]?.[name] ?? [];
    return this.removal(name)?.captured ?? [];
  }

  /** Return the tiles that leave the board if the player sinks this one: itself, and tiles that it cuts off. */
  sunkBy(name: string): string[] {
    return this.removal(name)?.sunk ?? [name];
  }

  reachableTiles(name: string): string[] {
    return Object.keys(this.legal.moves[name] ?? {});
  }

  /** The pawns that the pawn move captures. */
  get captured(): Pawn[] {
    return this.movePreview?.captured ?? this.legal.moves[this.source ?? ""]?.[this.target ?? ""] ?? [];
  }

  pick(name: string): void {
    if (!this.canPickPawn(name)) return;
    this.source = this.source === name ? null : name;
    this.#error = null;
  }

  /** Pick a pawn at the start of a drag. */
  startDrag(name: string): void {
    if (this.canPickPawn(name)) this.source = name;
  }

  async choose(name: string): Promise<void> {
    if (!this.choices.has(name)) return;
    if (this.canPickPawn(name)) this.pick(name);
    else if (this.target !== null || this.source === null) this.removed = name;
    else await this.#moveTo(name);
  }

  async #moveTo(name: string): Promise<void> {
    this.target = name;
    this.#error = null;
    const move = this.#move!;
    try {
      await this.#previews.load(move);
    } catch (caught) {
      if (this.#move !== move) return;
      this.target = null;
      this.#error = caught;
    }
  }

  applyTurn(turn: string): Promise<void> {
    return this.restore(turnParts(turn));
  }

  get snapshot(): TurnParts | null {
    return this.canUndo ? { source: this.source, target: this.target, removed: this.removed } : null;
  }

  async restore(snapshot: unknown): Promise<void> {
    const { source, target, removed } = snapshot as Partial<TurnParts>;
    this.source = this.target = this.removed = null;
    if (source) this.pick(source);
    for (const name of [target, removed]) if (name) await this.choose(name);
  }

  undo(): void {
    this.#error = null;
    if (this.removed !== null) this.removed = null;
    else if (this.target !== null) this.target = null;
    else this.source = null;
  }
}
