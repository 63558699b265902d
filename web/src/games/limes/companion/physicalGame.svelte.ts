/** A game at a real table, as far as somebody has entered it. This browser remembers it, and the server counts. */
import { requestJson } from "$lib/api";
import { t } from "$lib/i18n/messages.svelte";
import { savePreference, loadPreference } from "$lib/storage/preferences";
import type { LimesDisplay, LimesCompanionState } from "../types";
import { type Cards, DECK, holds, nextCell, openCells, plainDisplay, ROUNDS, shift, shuffled, WORKERS } from "./cards";

export interface Entered {
  name: string;
  cards: Cards;
  workers: readonly string[];
  /** Where the workers stood after each card, as far as they were entered while the game went. */
  course: readonly (readonly string[])[];
}

interface Kept {
  players: Entered[];
  options: Record<string, unknown>;
  draws: number[];
  pile: number[] | null;
}

const KEY = "companion.limes";
export const MOST_PLAYERS = 8;
/** Somebody who enters a card after the other asks once, not with every touch. */
const PAUSE = 120;

const nobody = (): Entered => ({ name: "", cards: {}, workers: [], course: [] });
const sameDisplay = ({ cards, workers }: Entered) => JSON.stringify([cards, workers]);

export class RealTable {
  players = $state.raw<readonly Entered[]>([nobody(), nobody()]);
  /** Variants and deck, as a new game takes them. */
  options = $state.raw<Record<string, unknown>>({});
  /** The cards drawn so far, in order; none where only the end is entered. */
  draws = $state.raw<readonly number[]>([]);
  /** The cards of the draw pile, the next one first; null where the cards are entered as they come. */
  pile = $state.raw<readonly number[] | null>(null);
  /** Whose display is entered. */
  shown = $state(0);
  error = $state.raw<unknown>(null);
  #judged = $state.raw<{ of: readonly string[]; table: LimesCompanionState } | null>(null);
  #asked = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    try {
      const kept = JSON.parse(loadPreference(KEY) ?? "null") as Kept | null;
      if (kept?.players.length) {
        this.players = kept.players.slice(0, MOST_PLAYERS);
        this.options = kept.options;
        this.draws = kept.draws;
        this.pile = kept.pile;
      }
    } catch {
      // What cannot be read is forgotten.
    }
    this.#judge();
  }

  readonly diagonal = $derived(Boolean(this.options.diagonal));
  readonly names = $derived(this.players.map(({ name }, seat) => name.trim() || t("seat.number", { n: seat + 1 })));
  readonly player = $derived(this.players[this.shown] ?? this.players[0]!);
  readonly open = $derived(openCells(this.player.cards, this.diagonal));
  readonly holds = $derived(holds(this.player.cards, this.diagonal));
  readonly deck: readonly string[] = $derived(this.#judged?.table.deck ?? []);
  readonly displays: readonly LimesDisplay[] = $derived(
    this.players.map((player, seat) => {
      const known = this.#judged?.table.displays[seat];
      if (known && this.#judged?.of[seat] === sameDisplay(player)) return known;
      return plainDisplay(player.cards, player.workers, this.deck, known?.total ?? 0);
    }),
  );
  /** What the server says of all of it, if nothing was entered since. */
  readonly judged: LimesCompanionState | null = $derived(
    this.players.every((player, seat) => this.#judged?.of[seat] === sameDisplay(player)) ? (this.#judged?.table ?? null) : null,
  );
  /** The card that was drawn last, if this player has not laid it. */
  readonly inHand: number | null = $derived.by(() => {
    const last = this.draws.at(-1);
    return last !== undefined && !this.numbersOf(this.player).has(last) ? last : null;
  });
  /** The numbers that this player's next card may have. */
  readonly free: readonly number[] = $derived.by(() => {
    const mine = this.numbersOf(this.player);
    const whole = this.players.find(({ cards }) => Object.keys(cards).length === ROUNDS);
    const among = this.draws.length
      ? this.draws
      : whole
        ? [...this.numbersOf(whole)]
        : Array.from({ length: DECK }, (_, i) => i + 1);
    return among.filter((number) => !mine.has(number)).sort((a, b) => a - b);
  });
  /** Players whose cards are not those of the first one who has all. */
  readonly differing: { seat: number; with: number; cards: number[] } | null = $derived.by(() => {
    const whole = this.players.map((player) => this.numbersOf(player));
    const first = whole.findIndex(({ size }) => size === ROUNDS);
    const seat = whole.findIndex(
      ({ size }, i) => size === ROUNDS && i > first && [...whole[i]!].some((card) => !whole[first]!.has(card)),
    );
    if (first < 0 || seat < 0) return null;
    return { seat, with: first, cards: [...whole[seat]!].filter((card) => !whole[first]!.has(card)).sort((a, b) => a - b) };
  });
  readonly empty = $derived(!this.draws.length && this.players.every(({ cards }) => !Object.keys(cards).length));

  numbersOf({ cards }: Entered): Set<number> {
    return new Set(Object.values(cards).map(([number]) => number));
  }

  // --- who plays, and how

  rename(seat: number, name: string): void {
    this.#put(seat, { name: name.slice(0, 40) });
  }

  add(): void {
    if (this.players.length >= MOST_PLAYERS) return;
    this.players = [...this.players, nobody()];
    this.#changed();
  }

  remove(seat: number): void {
    if (this.players.length < 2) return;
    this.players = this.players.filter((_, i) => i !== seat);
    this.shown = Math.min(this.shown, this.players.length - 1);
    this.#changed();
  }

  choose(options: Record<string, unknown>): void {
    this.options = options;
    this.#changed();
  }

  clear(): void {
    this.players = this.players.map(({ name }) => ({ ...nobody(), name }));
    this.draws = [];
    this.pile = null;
    this.shown = 0;
    this.#changed();
  }

  // --- the draw pile

  /** Shuffle, and draw the first card. */
  shuffle(): void {
    this.pile = shuffled(Array.from({ length: DECK }, (_, i) => i + 1));
    this.draws = [];
    this.draw();
  }

  /** The next card of the pile, or the one that was drawn at the table. */
  draw(number?: number): void {
    const next = number ?? this.pile?.[0];
    if (next === undefined || this.draws.length >= ROUNDS || this.draws.includes(next)) return;
    const round = this.draws.length;
    this.players = this.players.map((player) => {
      const whole = round > 0 && player.course.length === round - 1 && Object.keys(player.cards).length === round;
      return whole ? { ...player, course: [...player.course, player.workers] } : player;
    });
    this.draws = [...this.draws, next];
    if (this.pile) this.pile = this.pile.filter((card) => card !== next);
    this.#changed();
  }

  /** Put the last card back, as long as nobody has laid it. */
  putBack(): void {
    const last = this.draws.at(-1);
    if (last === undefined || this.players.some((player) => this.numbersOf(player).has(last))) return;
    this.draws = this.draws.slice(0, -1);
    if (this.pile) this.pile = [last, ...this.pile];
    this.players = this.players.map((player) => ({
      ...player,
      course: player.course.slice(0, Math.max(0, this.draws.length - 1)),
    }));
    this.#changed();
  }

  // --- displays

  /** Lay a card on a cell, or another one in its place; the cell where the next one is likely to lie. */
  lay(cell: string, number: number): string | null {
    const { [cell]: before, ...others } = this.player.cards;
    this.#put(this.shown, { cards: { ...others, [cell]: [number, before?.[1] ?? 0] } });
    return nextCell(this.player.cards, cell, this.diagonal);
  }

  turn(cell: string, by: number): void {
    const lies = this.player.cards[cell];
    if (lies) this.#put(this.shown, { cards: { ...this.player.cards, [cell]: [lies[0], (lies[1] + by + 4) % 4] } });
  }

  /** Take a card away, and whoever stands on it. */
  take(cell: string): void {
    const { [cell]: _, ...cards } = this.player.cards;
    const moved = shift(cards);
    const zone = (name: string) => moved(name.slice(0, 2)) + name.slice(2);
    const staying = (zones: readonly string[]) => zones.filter((name) => !name.startsWith(cell)).map(zone);
    this.#put(this.shown, {
      cards: Object.fromEntries(Object.entries(cards).map(([name, lies]) => [moved(name), lies])),
      workers: staying(this.player.workers),
      course: [],
    });
  }

  place(zone: string): void {
    if (this.player.workers.length < WORKERS) this.#put(this.shown, { workers: [...this.player.workers, zone] });
  }

  unplace(zone: string): void {
    const at = this.player.workers.lastIndexOf(zone);
    if (at >= 0) this.#put(this.shown, { workers: this.player.workers.filter((_, i) => i !== at) });
  }

  #put(seat: number, change: Partial<Entered>): void {
    this.players = this.players.map((player, i) => (i === seat ? { ...player, ...change } : player));
    this.#changed();
  }

  #changed(): void {
    const { players, options, draws, pile } = this;
    savePreference(KEY, JSON.stringify({ players, options, draws, pile }));
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#judge(), PAUSE);
  }

  #judge(): void {
    const asked = ++this.#asked;
    const of = this.players.map(sameDisplay);
    const { deck, ...options } = this.options;
    const displays = this.players.map(({ cards, workers, course }) => {
      // What hangs on nothing cannot be counted; the page says so where it is entered.
      if (!holds(cards, this.diagonal)) return { cards: {}, workers: [] };
      const written = course.length === ROUNDS - 1 && this.draws.length === ROUNDS;
      return { cards, workers, ...(written ? { workers_by_round: [...course, workers] } : {}) };
    });
    const table = {
      players: this.names,
      options,
      displays,
      ...(deck ? { deck } : {}),
      ...(this.draws.length ? { draws: this.draws } : {}),
    };
    requestJson<{ result: LimesCompanionState }>("/companion", { body: { game: "limes", entry: table } }).then(
      (found) => {
        if (asked !== this.#asked) return;
        this.error = null;
        this.#judged = { of, table: found.result };
      },
      (caught: unknown) => {
        if (asked === this.#asked) this.error = caught;
      },
    );
  }
}
