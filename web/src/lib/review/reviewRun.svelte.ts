/** A review in the making: what is known so far, and how far it is. */
import { ApiError } from "$lib/api";
import { errorMessage } from "$lib/app/errors";
import { streamReview, type ReviewedTurn, type ReviewLine, type ReviewSource, type ValueUnit } from "./reviewStream";

export type Phase = "idle" | "working" | "done" | "failed";

export class ReviewRun {
  phase = $state<Phase>("idle");
  turns = $state.raw<ReviewedTurn[]>([]);
  /** How many turns there are to look at. */
  total = $state(0);
  unit = $state<ValueUnit>("points");
  /** Whether another review has to end first. */
  waiting = $state(false);
  par = $state<number | null>(null);
  /** What no game with the same chance exceeds. */
  bound = $state<number | null>(null);
  #caught = $state.raw<unknown>(null);
  #stop: AbortController | null = null;

  constructor(readonly source: ReviewSource) {}

  async start(): Promise<void> {
    this.stop();
    const stop = (this.#stop = new AbortController());
    this.phase = "working";
    this.turns = [];
    this.total = 0;
    this.par = null;
    this.bound = null;
    this.#caught = null;
    try {
      for await (const line of streamReview(this.source, stop.signal)) {
        if (stop.signal.aborted) return;
        this.#hear(line);
      }
      if (this.phase === "working") throw new ApiError("offline");
    } catch (caught) {
      if (stop.signal.aborted) return;
      this.#caught = caught;
      this.phase = "failed";
    }
  }

  /** Why it failed. */
  get error(): string {
    return this.#caught === null ? "" : errorMessage(this.#caught);
  }

  /** Listen no more; what is known stays. */
  stop(): void {
    this.#stop?.abort();
    if (this.phase === "working") this.phase = "idle";
  }

  #hear(line: ReviewLine): void {
    switch (line.type) {
      case "begin":
        this.total = line.turn_count;
        this.unit = line.unit;
        this.waiting = line.waiting;
        break;
      case "turn":
        this.waiting = false;
        this.turns = [...this.turns, line];
        break;
      case "end":
        this.par = line.par;
        this.bound = line.bound;
        this.phase = "done";
        break;
      case "failed":
        throw new ApiError(line.code, line.error);
    }
  }

  /** How near a player came to the best turns, so far. */
  accuracy(player: number): number | null {
    return this.turns.filter((turn) => turn.player === player).at(-1)?.accuracy ?? null;
  }

  count(player: number, mark: ReviewedTurn["mark"]): number {
    return this.turns.filter((turn) => turn.player === player && turn.mark === mark).length;
  }
}
