/** A real board, dealt by us or entered by taps. This browser remembers it, the server says what to play. */
import { requestJson } from "$lib/api";
import { savePreference, loadPreference } from "$lib/storage/preferences";
import type { Advice } from "$lib/review/reviewStream";
import { LETTERS } from "../board/scene";
import { beside, nameOf } from "../board/geometry";
import type { LimitCompanionState } from "../types";

type Problem = LimitCompanionState["problem"];

interface Kept {
  players: number;
  size: number;
  seed: number | null;
  layout: string[];
  tiles: Record<string, string>;
  pawns: string[][];
  toMove: number;
}

const KEY = "companion.limit";
const MOST_TILES = 64;
const MOST_PAWNS = 16;
const MOST_SEED = 100_000;
/** Where the first tile lies of a board that is entered from nothing. */
const MIDDLE = nameOf({ q: 8, r: 8 });
const PAUSE = 150;

export class RealBoard {
  players = $state(2);
  size = $state(8);
  /** The number that a dealt layout is known by; null where the board was entered from nothing. */
  seed = $state<number | null>(null);
  /** All tiles as they were dealt, such as `c4R`. */
  layout = $state.raw<readonly string[]>([]);
  /** The tiles that are there, with their colors. */
  tiles = $state.raw<Readonly<Record<string, string>>>({});
  pawns = $state.raw<readonly (readonly string[])[]>([[], [], []]);
  toMove = $state(0);
  error = $state.raw<unknown>(null);
  /** Why nobody can move here; undefined while that is not known. */
  problem = $state.raw<Problem | undefined>(undefined);
  advice = $state.raw<Advice | null>(null);
  thinking = $state(false);
  #asked = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** The places where a tile may be added. */
  readonly open: readonly string[] = $derived.by(() => {
    const there = Object.keys(this.tiles);
    if (!there.length) return [MIDDLE];
    if (there.length >= MOST_TILES) return [];
    return [...new Set(there.flatMap(beside))].filter((name) => !(name in this.tiles));
  });
  /** Whether it lies as it was dealt: then it is the first turn. */
  readonly untouched = $derived(
    this.layout.length > 0 &&
      this.layout.length === Object.keys(this.tiles).length &&
      this.layout.every((tile) => {
        const owner = LETTERS.slice(0, this.players).indexOf(tile.slice(-1) as "R");
        return this.#ownerOf(tile.slice(0, -1)) === owner;
      }),
  );

  /** The layout as a record that nobody has played on. */
  readonly record = $derived({
    format: "limina/1",
    game: "limit",
    options: { size: this.layout.length / 4 },
    players: LETTERS.slice(0, this.players),
    layout: this.layout,
    turns: [],
  });

  constructor() {
    try {
      const kept = JSON.parse(loadPreference(KEY) ?? "null") as Kept | null;
      if (kept) Object.assign(this, kept);
    } catch {
      // What cannot be read is forgotten.
    }
    if (this.layout.length || Object.keys(this.tiles).length) this.#judge();
    else void this.deal();
  }

  #ownerOf(name: string): number {
    return this.pawns.findIndex((names) => names.includes(name));
  }

  /** Deal a layout: that of a number, or any. */
  async deal(seed = Math.floor(Math.random() * MOST_SEED) + 1): Promise<void> {
    const asked = ++this.#asked;
    this.error = null;
    try {
      const { view } = await this.#look({ players: this.players, size: this.size, seed });
      if (asked !== this.#asked || !view) return;
      this.seed = seed;
      this.layout = view.layout;
      this.tiles = view.tiles;
      this.pawns = [...view.pawns, []].slice(0, 3);
      this.toMove = 0;
      this.#changed();
    } catch (caught) {
      if (asked === this.#asked) this.error = caught;
    }
  }

  /** Take everything away, for a board that was not dealt here. */
  clear(): void {
    this.seed = null;
    this.layout = [];
    this.tiles = {};
    this.pawns = [[], [], []];
    this.toMove = 0;
    this.#changed();
  }

  /** Add a tile, or take it away with the pawn on it. */
  toggleTile(name: string): void {
    if (name in this.tiles) {
      const { [name]: _, ...tiles } = this.tiles;
      this.tiles = tiles;
      this.pawns = this.pawns.map((names) => names.filter((each) => each !== name));
    } else if (Object.keys(this.tiles).length < MOST_TILES) {
      this.tiles = { ...this.tiles, [name]: this.#colorFor(name) };
    }
    this.#changed();
  }

  /** Put a player's pawn on a tile, in place of another one's, or take it away. */
  togglePawn(name: string, player: number): void {
    const mine = this.#ownerOf(name) === player;
    if (!(name in this.tiles) || (!mine && (this.pawns[player]?.length ?? 0) >= MOST_PAWNS)) return;
    this.pawns = this.pawns.map((names, i) => {
      const others = names.filter((each) => each !== name);
      return i === player && !mine ? [...others, name] : others;
    });
    this.#changed();
  }

  setPlayers(players: number): void {
    this.players = players;
    if (players < 3) this.pawns = [this.pawns[0]!, this.pawns[1]!, []];
    this.toMove = Math.min(this.toMove, players - 1);
    if (this.layout.length) void this.deal();
    else this.#changed();
  }

  setSize(size: number): void {
    this.size = size;
    void this.deal();
  }

  setToMove(player: number): void {
    this.toMove = player;
    this.#changed();
  }

  /** Let a strong bot look at it. */
  async think(): Promise<void> {
    const asked = this.#asked;
    this.thinking = true;
    this.error = null;
    try {
      const advice = await requestJson<Advice>("/companion/hint", { body: { game: "limit", entry: this.#entered() } });
      if (asked === this.#asked) this.advice = advice;
    } catch (caught) {
      if (asked === this.#asked) this.error = caught;
    } finally {
      this.thinking = false;
    }
  }

  /** The color of the tile as it was dealt, else one that no neighbor has. */
  #colorFor(name: string): string {
    const dealt = this.layout.find((tile) => tile.slice(0, -1) === name);
    if (dealt) return dealt.slice(-1);
    const near = new Set(beside(name).map((each) => this.tiles[each]));
    const count = (color: string) => Object.values(this.tiles).filter((each) => each === color).length;
    return [..."RBYK"].filter((color) => !near.has(color)).sort((a, b) => count(a) - count(b))[0] ?? "K";
  }

  #entered(): Record<string, unknown> {
    const table = { players: this.players, tiles: Object.keys(this.tiles), pawns: this.pawns.slice(0, this.players) };
    const dealt = this.layout.length ? { layout: this.layout, first: this.untouched } : {};
    return { ...table, to_move: this.toMove, ...dealt };
  }

  #changed(): void {
    this.#asked++;
    this.advice = null;
    this.problem = undefined;
    const { players, size, seed, layout, tiles, pawns, toMove } = this;
    savePreference(KEY, JSON.stringify({ players, size, seed, layout, tiles, pawns, toMove }));
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#judge(), PAUSE);
  }

  #judge(): void {
    const asked = ++this.#asked;
    this.#look(this.#entered()).then(
      ({ problem }) => {
        if (asked !== this.#asked) return;
        this.error = null;
        this.problem = problem;
      },
      (caught: unknown) => {
        if (asked === this.#asked) this.error = caught;
      },
    );
  }

  async #look(table: Record<string, unknown>): Promise<LimitCompanionState> {
    return (await requestJson<{ result: LimitCompanionState }>("/companion", { body: { game: "limit", entry: table } })).result;
  }
}
