/** A cache of previews by notation: positions after a turn or a part of one. A failed request can be repeated. */
import { untrack } from "svelte";

export class PreviewCache<P> {
  #loaded = $state.raw<Readonly<Record<string, P>>>({});
  #requests = new Map<string, Promise<P>>();

  constructor(readonly fetchPreview: (notation: string) => Promise<P>) {}

  /** Return a loaded preview, or null. */
  get(notation: string | null): P | null {
    return (notation !== null && this.#loaded[notation]) || null;
  }

  /** Start to load a preview, and ignore errors. */
  prefetch(notation: string | null): void {
    if (notation !== null) this.load(notation).catch(() => undefined);
  }

  load(notation: string): Promise<P> {
    const request = this.#requests.get(notation) ?? this.#load(notation);
    this.#requests.set(notation, request);
    return request;
  }

  async #load(notation: string): Promise<P> {
    try {
      const preview = await this.fetchPreview(notation);
      this.#loaded = { ...untrack(() => this.#loaded), [notation]: preview };
      return preview;
    } catch (caught) {
      this.#requests.delete(notation);
      throw caught;
    }
  }
}
