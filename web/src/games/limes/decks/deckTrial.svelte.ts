/** Bots who play a deck on random deals: what they score so far, and how far it is. */
import { ApiError, request, type Schemas } from "$lib/api";
import { readJsonLines } from "$lib/api/jsonLines";

type TrialLine = Schemas["TrialLine"];

export interface Score {
  /** Who plays: greedy, skilled, or par, which knows all cards in advance. */
  who: string;
  /** With the deck and, if that is another, with ours. */
  points: readonly Mean[];
}

export interface Mean {
  mean: number;
  /** Half the width of the interval in which 19 of 20 such means lie. */
  error: number;
}

export class DeckTrial {
  phase = $state<"idle" | "working" | "done" | "failed">("idle");
  /** How many deals there will be, at most. */
  deals = $state(0);
  /** Whether others have to end first. */
  waiting = $state(false);
  played = $state.raw<readonly Record<string, readonly number[]>[]>([]);
  caught = $state.raw<unknown>(null);
  #stop: AbortController | null = null;

  scores = $derived.by((): Score[] => {
    const [first] = this.played;
    return Object.entries(first ?? {}).map(([who, points]) => ({
      who,
      points: points.map((_, i) => meanOf(this.played.map((deal) => deal[who]![i]!))),
    }));
  });

  async start(game: string, faces: readonly string[]): Promise<void> {
    this.stop();
    const stop = (this.#stop = new AbortController());
    this.phase = "working";
    this.played = [];
    this.deals = 0;
    this.caught = null;
    try {
      const answer = await request("/decks/trial", { body: { game, faces }, signal: stop.signal });
      for await (const line of readJsonLines<TrialLine>(answer)) {
        if (stop.signal.aborted) return;
        this.#hear(line);
      }
      if (this.phase === "working") throw new ApiError("offline");
    } catch (caught) {
      if (stop.signal.aborted) return;
      this.caught = caught;
      this.phase = "failed";
    }
  }

  /** Listen no more; what is known stays. */
  stop(): void {
    this.#stop?.abort();
    if (this.phase === "working") this.phase = this.played.length ? "done" : "idle";
  }

  #hear(line: TrialLine): void {
    switch (line.type) {
      case "begin":
        this.deals = line.turn_count;
        this.waiting = line.waiting;
        break;
      case "deal":
        this.waiting = false;
        this.played = [...this.played, line.points];
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
