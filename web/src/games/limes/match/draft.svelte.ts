/** The draft of a turn of Limes. Every change can be undone until the turn ends. Legal turns and totals come from the server. */
import type { LimesDisplay, LimesLegal, LimesPreview } from "../types";
import type { Draft } from "$lib/match/draft";
import { PreviewCache } from "$lib/match/previewCache.svelte";
import { cellPosition, QUARTERS } from "../draw/zones";

/** Place the card, adjust it (rotate or move it until it is confirmed), choose a worker action. */
export type Stage = "place" | "adjust" | "worker";

interface Step {
  turning: number;
  cell: string | null;
  confirmed: boolean;
  picked: string | null;
  action: string | null;
}

/** A zone to which a worker can go, with the action's notation and the total after it. */
export interface WorkerOption {
  zone: string;
  action: string;
  total: number;
}

const INITIAL_STEP: Step = { turning: 0, cell: null, confirmed: false, picked: null, action: null };

export class LimesDraft implements Draft {
  #current = $state.raw<Step>(INITIAL_STEP);
  #history = $state.raw<Step[]>([]);
  /** The cell or action under the pointer or with the keyboard's focus. */
  hovered = $state<{ cell?: string; action?: string } | null>(null);
  /** Direction of the last rotation (1 is clockwise, -1 counterclockwise) for its animation; 0 after any other step. */
  spin = $state(0);

  readonly #previews: PreviewCache<LimesPreview>;

  constructor(
    readonly legal: LimesLegal,
    preview: (notation: string) => Promise<LimesPreview>,
  ) {
    this.#previews = new PreviewCache(preview);
  }

  get turning(): number {
    return this.#current.turning;
  }
  get cell(): string | null {
    return this.#current.cell;
  }
  /** Zone of the picked worker; null for the supply. */
  get picked(): string | null {
    return this.#current.picked;
  }
  /** The chosen worker action; "" for none, null before a choice. */
  get action(): string | null {
    return this.#current.action;
  }
  get stage(): Stage {
    return this.cell === null ? "place" : this.#current.confirmed ? "worker" : "adjust";
  }
  get canUndo(): boolean {
    return this.#history.length > 0;
  }
  /** Notation of the placed card, such as `e4r1`. */
  get placement(): string | null {
    return this.cell === null ? null : `${this.cell}r${this.turning}`;
  }
  /** Notation of the steps so far. */
  get notation(): string | null {
    return this.placement === null ? null : this.action ? `${this.placement} ${this.action}` : this.placement;
  }
  get partialTurn(): string | null {
    return this.stage === "worker" ? this.notation : null;
  }
  get turn(): string | null {
    return this.stage === "worker" && this.action !== null ? this.notation : null;
  }
  /** The server's preview of the display after the turn; null until it has arrived. */
  get display(): LimesDisplay | null {
    return this.#previews.get(this.notation)?.display ?? null;
  }
  loadPreview(): void {
    this.#previews.prefetch(this.notation);
  }
  /** Totals of the legal worker actions. */
  get actions(): Record<string, number> {
    return (this.placement !== null && this.legal.turns[this.placement]) || {};
  }
  /** The total after the turn, with the hovered cell or action; null if it is not known yet. */
  get total(): number | null {
    const { cell, action } = this.hovered ?? {};
    if (this.stage === "worker") return this.actions[action ?? this.action ?? ""] ?? null;
    const shownCell = cell ?? this.cell;
    return shownCell === null ? null : (this.legal.turns[`${shownCell}r${this.turning}`]?.[""] ?? null);
  }
  /** Zones of the workers that can move. */
  get movableWorkers(): string[] {
    const moves = Object.keys(this.actions).filter((action) => action.includes(">"));
    return [...new Set(moves.map((action) => action.split(">")[0]!))];
  }
  /** The options of the picked worker, or of a worker from the supply. */
  get workerOptions(): WorkerOption[] {
    if (this.stage !== "worker") return [];
    const prefix = this.picked === null ? "+" : `${this.picked}>`;
    return Object.entries(this.actions)
      .filter(([action]) => action.startsWith(prefix))
      .map(([action, total]) => ({ zone: this.zoneOf(action), action, total }));
  }

  /** Return the zone to which an action brings a worker. */
  zoneOf(action: string): string {
    return action.startsWith("+") ? `${this.cell}.${action.slice(1)}` : action.split(">")[1]!;
  }

  placeCard(cell: string): void {
    if (this.stage !== "worker" && cell !== this.cell && this.legal.cells.includes(cell)) this.#step({ cell });
  }

  /** Place the card on any legal cell, for the keyboard. */
  placeCardAnywhere(): void {
    if (this.cell === null) this.placeCard(this.legal.cells[0]!);
  }

  rotate(direction: 1 | -1): void {
    if (this.stage === "worker") return;
    this.#step({ turning: (this.turning + direction + 4) % 4 });
    this.spin = direction;
  }

  confirm(): void {
    if (this.stage === "adjust") this.#step({ confirmed: true });
  }

  /** Pick a worker on the display; null, or the picked worker again, picks the supply. */
  pick(zone: string | null): void {
    if (this.stage !== "worker") return;
    const picked = zone === this.picked ? null : zone;
    this.#step({ picked, action: null });
  }

  choose(action: string): void {
    if (this.stage === "worker" && action !== this.action && action in this.actions) this.#step({ action });
  }

  /** Choose to place and move no worker. */
  chooseNoWorker(): void {
    if (this.stage === "worker" && this.action !== "") this.#step({ picked: null, action: "" });
  }

  /** Send the picked worker to a zone of the card; `quarter` is an index of nw, ne, sw, se. */
  chooseQuarter(quarter: number): void {
    const zone = `${this.cell}.${QUARTERS[quarter]}`;
    const option = this.workerOptions.find((other) => other.zone === zone);
    if (option) this.choose(option.action);
  }

  /** Pick the next worker that can move; after the last one, the supply. */
  pickNextWorker(): void {
    const { movableWorkers } = this;
    if (!movableWorkers.length) return;
    const next = this.picked === null ? movableWorkers[0]! : (movableWorkers[movableWorkers.indexOf(this.picked) + 1] ?? null);
    this.#step({ picked: next, action: null });
  }

  /** Move the card to the nearest legal cell in a direction. */
  moveCard(dx: number, dy: number): void {
    if (this.stage === "worker") return;
    const { cells } = this.legal;
    if (this.cell === null) {
      this.placeCardAnywhere();
      return;
    }
    const start = cellPosition(this.cell);
    const candidates = cells
      .map((cell) => {
        const { column, row } = cellPosition(cell);
        const [x, y] = [column - start.column, row - start.row];
        // The sort prefers cells straight ahead: distance aside counts twice.
        return { cell, along: x * dx + y * dy, aside: Math.abs(x * dy) + Math.abs(y * dx) };
      })
      .filter(({ along }) => along > 0)
      .sort((a, b) => a.along + 2 * a.aside - (b.along + 2 * b.aside));
    if (candidates[0]) this.placeCard(candidates[0].cell);
  }

  /** Play a whole turn as a single step, which can be undone. */
  applyTurn(turn: string): void {
    const [placement = "", action = ""] = turn.split(" ");
    if (!(placement in this.legal.turns)) return;
    const [cell, turning] = [placement.slice(0, 2), Number(placement.slice(3))];
    this.#step({
      cell,
      turning,
      confirmed: true,
      picked: action.split(">")[1] ? action.split(">")[0]! : null,
      action,
    });
  }

  get snapshot(): unknown {
    return this.canUndo ? [...this.#history, this.#current] : null;
  }

  /** Restore a snapshot if all its steps are legal in this position. */
  restore(snapshot: unknown): void {
    if (!Array.isArray(snapshot) || !snapshot.every((step) => this.#isLegal(step as Partial<Step> | null))) return;
    const steps = snapshot as Step[];
    this.#current = steps.at(-1) ?? INITIAL_STEP;
    this.#history = steps.slice(0, -1);
  }

  #isLegal(step: Partial<Step> | null): boolean {
    if (!step) return false;
    const { cell, turning, action } = step;
    if (cell === null) return turning !== undefined && turning in [0, 1, 2, 3] && action === null;
    const actions = this.legal.turns[`${cell}r${turning}`];
    return actions !== undefined && (action === null || (action ?? "") in actions);
  }

  undo(): void {
    const previous = this.#history.at(-1);
    if (!previous) return;
    this.#history = this.#history.slice(0, -1);
    this.#current = previous;
    this.hovered = null;
    this.spin = 0;
  }

  #step(change: Partial<Step>): void {
    this.#history = [...this.#history, this.#current];
    this.#current = { ...this.#current, ...change };
    this.hovered = null;
    this.spin = 0;
  }
}
