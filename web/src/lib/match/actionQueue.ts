/**
 * Runs the actions of a player one by one. While a turn is being saved, actions wait for the next turn. If the turn cannot be saved, the
 * waiting actions are dropped, because they were meant for another position.
 */
import { tick } from "svelte";

/** Returns false, or a promise of it, if the action failed. */
export type Action = () => unknown;

export class ActionQueue {
  #waiting: Action[] = [];
  #busy = false;

  /** True while an action runs. Actions added meanwhile wait for its end. */
  get busy(): boolean {
    return this.#busy;
  }

  /** Run an action, immediately if none is running. */
  async run(action: Action): Promise<void> {
    this.#waiting.push(action);
    if (this.#busy) return;
    this.#busy = true;
    try {
      while (this.#waiting.length) {
        const result: unknown = this.#waiting.shift()!();
        if (!(result instanceof Promise)) continue;
        if ((await result) === false) this.#waiting = [];
        // The next action needs the state that this one led to.
        await tick();
      }
    } finally {
      this.#waiting = [];
      this.#busy = false;
    }
  }
}
