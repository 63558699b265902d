/** A turn in the making: everything can be undone until it is ended. What is allowed, and its total, the server said. */
import type { LimesDisplay, LimesLegal, LimesPreview } from "../types";
import type { Draft } from "$lib/match/draft";
import { PreviewCache } from "$lib/match/previewCache.svelte";
import { cellPlace, QUARTERS } from "../draw/zones";

export type Stage = "lay" | "carry" | "worker";

interface Step {
  turning: number;
  cell: string | null;
  confirmed: boolean;
  picked: string | null;
  /** What the worker does; "" for no worker at all, null as long as nothing is chosen. */
  action: string | null;
}

export interface Offer {
  zone: string;
  action: string;
  total: number;
}

const START: Step = { turning: 0, cell: null, confirmed: false, picked: null, action: null };

export class LimesDraft implements Draft {
  #now = $state.raw<Step>(START);
  #past = $state.raw<Step[]>([]);
  /** Looked at but not chosen: a cell or an action under the pointer. */
  hovered = $state<{ cell?: string; action?: string } | null>(null);
  /** +1 or -1: which way the card was turned last, for its motion. */
  spin = $state(0);

  readonly #previews: PreviewCache<LimesPreview>;

  constructor(
    readonly legal: LimesLegal,
    preview: (notation: string) => Promise<LimesPreview>,
  ) {
    this.#previews = new PreviewCache(preview);
  }

  get turning(): number {
    return this.#now.turning;
  }
  get cell(): string | null {
    return this.#now.cell;
  }
  get picked(): string | null {
    return this.#now.picked;
  }
  get action(): string | null {
    return this.#now.action;
  }
  get stage(): Stage {
    return this.cell === null ? "lay" : this.#now.confirmed ? "worker" : "carry";
  }
  get canUndo(): boolean {
    return this.#past.length > 0;
  }
  /** The card as it lies, `e4r1`. */
  get laid(): string | null {
    return this.cell === null ? null : `${this.cell}r${this.turning}`;
  }
  /** What was done so far, as it is written. */
  get notation(): string | null {
    return this.laid === null ? null : this.action ? `${this.laid} ${this.action}` : this.laid;
  }
  get partialTurn(): string | null {
    return this.stage === "worker" ? this.notation : null;
  }
  get turn(): string | null {
    return this.stage === "worker" && this.action !== null ? this.notation : null;
  }
  /** What the turn would leave, as the server draws it; null until it is here. */
  get display(): LimesDisplay | null {
    return this.#previews.get(this.notation)?.display ?? null;
  }
  /** Have it drawn. */
  load(): void {
    this.#previews.prefetch(this.notation);
  }
  /** Worker actions that are allowed, with their totals. */
  get actions(): Record<string, number> {
    return (this.laid !== null && this.legal.turns[this.laid]) || {};
  }
  /** The total the turn would lead to, following the pointer. */
  get total(): number | null {
    const { cell, action } = this.hovered ?? {};
    if (this.stage === "worker") return this.actions[action ?? this.action ?? ""] ?? null;
    const lying = cell ?? this.cell;
    return lying === null ? null : (this.legal.turns[`${lying}r${this.turning}`]?.[""] ?? null);
  }
  /** Zones of workers who may go somewhere. */
  get sources(): string[] {
    const moves = Object.keys(this.actions).filter((action) => action.includes(">"));
    return [...new Set(moves.map((action) => action.split(">")[0]!))];
  }
  /** Where the picked worker, or else one from the supply, may go. */
  get offers(): Offer[] {
    if (this.stage !== "worker") return [];
    const start = this.picked === null ? "+" : `${this.picked}>`;
    return Object.entries(this.actions)
      .filter(([action]) => action.startsWith(start))
      .map(([action, total]) => ({ zone: this.zoneOf(action), action, total }));
  }

  /** The zone an action leads to. */
  zoneOf(action: string): string {
    return action.startsWith("+") ? `${this.cell}.${action.slice(1)}` : action.split(">")[1]!;
  }

  lay(cell: string): void {
    if (this.stage !== "worker" && cell !== this.cell && this.legal.cells.includes(cell)) this.#step({ cell });
  }

  /** Lay the card somewhere, to be carried from there. */
  layFirst(): void {
    if (this.cell === null) this.lay(this.legal.cells[0]!);
  }

  rotate(by: 1 | -1): void {
    if (this.stage === "worker") return;
    this.#step({ turning: (this.turning + by + 4) % 4 });
    this.spin = by;
  }

  confirm(): void {
    if (this.stage === "carry") this.#step({ confirmed: true });
  }

  /** Pick a worker on the display; again, and the supply is meant. */
  pick(zone: string | null): void {
    if (this.stage !== "worker") return;
    const picked = zone === this.picked ? null : zone;
    this.#step({ picked, action: null });
  }

  choose(action: string): void {
    if (this.stage === "worker" && action !== this.action && action in this.actions) this.#step({ action });
  }

  /** No worker this time: a choice like any other, until the turn is ended. */
  chooseNone(): void {
    if (this.stage === "worker" && this.action !== "") this.#step({ picked: null, action: "" });
  }

  /** A zone of the card by its number, counted nw ne sw se, for whoever is picked. */
  chooseQuarter(quarter: number): void {
    const zone = `${this.cell}.${QUARTERS[quarter]}`;
    const offer = this.offers.find((found) => found.zone === zone);
    if (offer) this.choose(offer.action);
  }

  /** The next worker who may go somewhere; after the last, the supply. */
  nextWorker(): void {
    const { sources } = this;
    if (!sources.length) return;
    const next = this.picked === null ? sources[0]! : (sources[sources.indexOf(this.picked) + 1] ?? null);
    this.#step({ picked: next, action: null });
  }

  /** Carry the card to the nearest cell in a direction. */
  carry(dx: number, dy: number): void {
    if (this.stage === "worker") return;
    const { cells } = this.legal;
    if (this.cell === null) {
      this.layFirst();
      return;
    }
    const here = cellPlace(this.cell);
    const ahead = cells
      .map((cell) => {
        const { column, row } = cellPlace(cell);
        const [x, y] = [column - here.column, row - here.row];
        // Straight ahead first; what lies aside costs more the farther it is off the line.
        return { cell, along: x * dx + y * dy, aside: Math.abs(x * dy) + Math.abs(y * dx) };
      })
      .filter(({ along }) => along > 0)
      .sort((a, b) => a.along + 2 * a.aside - (b.along + 2 * b.aside));
    if (ahead[0]) this.lay(ahead[0].cell);
  }

  /** In one step. */
  applyTurn(turn: string): void {
    const [laid = "", action = ""] = turn.split(" ");
    if (!(laid in this.legal.turns)) return;
    const [cell, turning] = [laid.slice(0, 2), Number(laid.slice(3))];
    this.#step({
      cell,
      turning,
      confirmed: true,
      picked: action.split(">")[1] ? action.split(">")[0]! : null,
      action,
    });
  }

  get snapshot(): unknown {
    return this.canUndo ? [...this.#past, this.#now] : null;
  }

  /** Only if all of it is allowed here. */
  restore(snapshot: unknown): void {
    if (!Array.isArray(snapshot) || !snapshot.every((step) => this.#allows(step as Partial<Step> | null))) return;
    const steps = snapshot as Step[];
    this.#now = steps.at(-1) ?? START;
    this.#past = steps.slice(0, -1);
  }

  #allows(step: Partial<Step> | null): boolean {
    if (!step) return false;
    const { cell, turning, action } = step;
    if (cell === null) return turning !== undefined && turning in [0, 1, 2, 3] && action === null;
    const actions = this.legal.turns[`${cell}r${turning}`];
    return actions !== undefined && (action === null || (action ?? "") in actions);
  }

  undo(): void {
    const before = this.#past.at(-1);
    if (!before) return;
    this.#past = this.#past.slice(0, -1);
    this.#now = before;
    this.hovered = null;
    this.spin = 0;
  }

  #step(change: Partial<Step>): void {
    this.#past = [...this.#past, this.#now];
    this.#now = { ...this.#now, ...change };
    this.hovered = null;
    this.spin = 0;
  }
}
