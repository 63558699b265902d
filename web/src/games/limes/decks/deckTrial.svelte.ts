/** A trial of a deck: bots play it on random deals, and the scores arrive as a stream. */
import { ApiError, request, type Schemas } from "$lib/api";
import { readJsonLines } from "$lib/api/jsonLines";

type TrialLine = Schemas["TrialLine"];

export interface TrialScore {
  /** The bot `greedy` or `skilled`, or `par`. */
  player: string;
  /** Mean points with the deck and, if that is another one, with the default deck. */
  points: readonly Mean[];
}

export interface Mean {
  mean: number;
  /** Half the width of the 95 % confidence interval. */
  error: number;
}

export class DeckTrial {
  phase = $state<"idle" | "working" | "done" | "failed">("idle");
  /** The maximum number of deals. */
  dealCount = $state(0);
  /** True while the trial waits in the queue of the server. */
  waiting = $state(false);
  /** Points by player of each finished deal. */
  deals = $state.raw<readonly Record<string, readonly number[]>[]>([]);
  error = $state.raw<unknown>(null);
  #abort: AbortController | null = null;

  scores = $derived.by((): TrialScore[] => {
    const [first] = this.deals;
    return Object.entries(first ?? {}).map(([player, points]) => ({
      player,
      points: points.map((_, i) => meanOf(this.deals.map((deal) => deal[player]![i]!))),
    }));
  });

  async start(game: string, faces: readonly string[]): Promise<void> {
    this.stop();
    const abort = (this.#abort = new AbortController());
    this.phase = "working";
    this.deals = [];
    this.dealCount = 0;
    this.error = null;
    try {
      const response = await request("/decks/trial", { body: { game, faces }, signal: abort.signal });
      for await (const line of readJsonLines<TrialLine>(response)) {
        if (abort.signal.aborted) return;
        this.#handleLine(line);
      }
      if (this.phase === "working") throw new ApiError("offline");
    } catch (caught) {
      if (abort.signal.aborted) return;
      this.error = caught;
      this.phase = "failed";
    }
  }

  /** Stop the trial and keep the scores so far. */
  stop(): void {
    this.#abort?.abort();
    if (this.phase === "working") this.phase = this.deals.length ? "done" : "idle";
  }

  #handleLine(line: TrialLine): void {
    switch (line.type) {
      case "begin":
        this.dealCount = line.turn_count;
        this.waiting = line.waiting;
        break;
      case "deal":
        this.waiting = false;
        this.deals = [...this.deals, line.points];
        break;
      case "end":
        this.phase = "done";
        break;
      case "failed":
        throw new ApiError(line.code, line.error);
    }
  }
}

export function meanOf(points: readonly number[]): Mean {
  const n = points.length;
  const mean = points.reduce((sum, point) => sum + point, 0) / n;
  const spread = points.reduce((sum, point) => sum + (point - mean) ** 2, 0) / Math.max(n - 1, 1);
  return { mean, error: n > 1 ? 1.96 * Math.sqrt(spread / n) : 0 };
}
