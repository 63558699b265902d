/** The draft of a turn in a game whose turns are opaque texts: a turn is chosen and previewed as a whole. */
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

  /** The server's preview of the chosen turn; null until it has arrived. */
  get preview(): GenericPreview | null {
    return this.#previews.get(this.turn);
  }

  loadPreview(): void {
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

/** Return the turns that contain the query; those that begin with it come first. */
export function matchingTurns(turns: readonly string[], query: string): string[] {
  const text = query.trim().toLowerCase();
  const indexIn = (turn: string) => turn.toLowerCase().indexOf(text);
  return [...turns.filter((turn) => indexIn(turn) === 0), ...turns.filter((turn) => indexIn(turn) > 0)];
}
