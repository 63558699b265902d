/** A review that is running or complete: its turns so far, and its progress. */
import { ApiError } from "$lib/api";
import { errorMessage } from "$lib/app/errors";
import { streamReview, type ReviewedTurn, type ReviewLine, type ReviewSource, type ValueUnit } from "./reviewStream";

export type Phase = "idle" | "working" | "done" | "failed";

export class ReviewRun {
  phase = $state<Phase>("idle");
  turns = $state.raw<ReviewedTurn[]>([]);
  /** The number of turns to review. */
  total = $state(0);
  unit = $state<ValueUnit>("points");
  /** True while the review waits for another one to end. */
  waiting = $state(false);
  par = $state<number | null>(null);
  /** An upper bound of the result of every game with the same deal. */
  bound = $state<number | null>(null);
  #error = $state.raw<unknown>(null);
  #abort: AbortController | null = null;

  constructor(readonly source: ReviewSource) {}

  async start(): Promise<void> {
    this.stop();
    const abort = (this.#abort = new AbortController());
    this.phase = "working";
    this.turns = [];
    this.total = 0;
    this.par = null;
    this.bound = null;
    this.#error = null;
    try {
      for await (const line of streamReview(this.source, abort.signal)) {
        if (abort.signal.aborted) return;
        this.#addLine(line);
      }
      if (this.phase === "working") throw new ApiError("offline");
    } catch (caught) {
      if (abort.signal.aborted) return;
      this.#error = caught;
      this.phase = "failed";
    }
  }

  /** The error message of a failed review, else an empty string. */
  get error(): string {
    return this.#error === null ? "" : errorMessage(this.#error);
  }

  /** Stop the review, and keep its turns. */
  stop(): void {
    this.#abort?.abort();
    if (this.phase === "working") this.phase = "idle";
  }

  #addLine(line: ReviewLine): void {
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

  /** Return the accuracy of a player so far, from 0 to 100; null before their first turn. */
  accuracy(player: number): number | null {
    return this.turns.filter((turn) => turn.player === player).at(-1)?.accuracy ?? null;
  }

  /** Return how many turns of a player have this mark. */
  countMarks(player: number, mark: ReviewedTurn["mark"]): number {
    return this.turns.filter((turn) => turn.player === player && turn.mark === mark).length;
  }
}
