/**
 * What a player does, one thing after another. While a turn is being saved, what is asked for waits for the next one; if it could not be
 * saved, what waited is forgotten, since it was meant for another position.
 */
import { tick } from "svelte";

/** Does something; says false if it could not be done. */
export type Action = () => unknown;

export class ActionQueue {
  #waiting: Action[] = [];
  #busy = false;

  /** Whether what is asked for now has to wait. */
  get busy(): boolean {
    return this.#busy;
  }

  /** Do it: at once if nothing is under way. */
  async run(action: Action): Promise<void> {
    this.#waiting.push(action);
    if (this.#busy) return;
    this.#busy = true;
    try {
      while (this.#waiting.length) {
        const done: unknown = this.#waiting.shift()!();
        if (!(done instanceof Promise)) continue;
        if ((await done) === false) this.#waiting = [];
        // What it led to must be on the table before the next one.
        await tick();
      }
    } finally {
      this.#waiting = [];
      this.#busy = false;
    }
  }
}
