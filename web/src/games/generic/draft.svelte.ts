/** A turn in the making where turns are only names: one is chosen, looked at, and ended or taken back. */
import type { Draft } from "$lib/match/draft";
import { PreviewCache } from "$lib/match/previewCache.svelte";
import type { GenericLegal, GenericPreview } from "./types";

export class GenericDraft implements Draft {
  turn = $state<string | null>(null);
  readonly #previews: PreviewCache<GenericPreview>;

  constructor(
    readonly legal: GenericLegal,
    preview: (notation: string) => Promise<GenericPreview>,
  ) {
    this.#previews = new PreviewCache(preview);
  }

  get canUndo(): boolean {
    return this.turn !== null;
  }

  get snapshot(): string | null {
    return this.turn;
  }

  /** What the turn would leave, drawn; null until it is here. */
  get preview(): GenericPreview | null {
    return this.#previews.get(this.turn);
  }

  /** Have it drawn. */
  load(): void {
    this.#previews.prefetch(this.turn);
  }

  choose(turn: string): void {
    if (this.legal.turns.includes(turn)) this.turn = turn;
  }

  applyTurn(turn: string): void {
    this.choose(turn);
  }

  restore(snapshot: unknown): void {
    if (typeof snapshot === "string") this.choose(snapshot);
  }

  undo(): void {
    this.turn = null;
  }
}

/** The turns that something written may mean: those that begin with it, then those that have it anywhere. */
export function matchingTurns(turns: readonly string[], written: string): string[] {
  const wanted = written.trim().toLowerCase();
  const at = (turn: string) => turn.toLowerCase().indexOf(wanted);
  return [...turns.filter((turn) => at(turn) === 0), ...turns.filter((turn) => at(turn) > 0)];
}
