/** What the server says a turn, or its first part, would lead to; asked once for each, unless that failed. */
import { untrack } from "svelte";

export class PreviewCache<P> {
  #known = $state.raw<Readonly<Record<string, P>>>({});
  #asked = new Map<string, Promise<P>>();

  constructor(readonly ask: (notation: string) => Promise<P>) {}

  /** What is known by now. */
  get(notation: string | null): P | null {
    return (notation !== null && this.#known[notation]) || null;
  }

  /** Ask for it, if there is something to ask for; what cannot be had is asked for again another time. */
  prefetch(notation: string | null): void {
    if (notation !== null) this.load(notation).catch(() => undefined);
  }

  load(notation: string): Promise<P> {
    const asked = this.#asked.get(notation) ?? this.#load(notation);
    this.#asked.set(notation, asked);
    return asked;
  }

  async #load(notation: string): Promise<P> {
    try {
      const found = await this.ask(notation);
      this.#known = { ...untrack(() => this.#known), [notation]: found };
      return found;
    } catch (caught) {
      this.#asked.delete(notation);
      throw caught;
    }
  }
}
