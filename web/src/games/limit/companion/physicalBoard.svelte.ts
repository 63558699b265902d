/** A physical board with a random layout or an entered position. The browser stores it, and the server advises a turn. */
import { requestJson } from "$lib/api";
import { savePreference, loadPreference } from "$lib/storage/preferences";
import type { Advice } from "$lib/review/reviewStream";
import { COLOR_LETTERS } from "../board/scene";
import { adjacentPlaces, placeName } from "../board/geometry";
import type { LimitCompanionState } from "../types";

type Problem = LimitCompanionState["problem"];

interface StoredBoard {
  players: number;
  size: number;
  seed: number | null;
  layout: string[];
  tiles: Record<string, string>;
  pawns: string[][];
  toMove: number;
}

const PREFERENCE_KEY = "companion.limit";
const MAX_TILES = 64;
const MAX_PAWNS_PER_PLAYER = 16;
const MAX_SEED = 100_000;
/** The place of the first tile of an entered board. */
const FIRST_PLACE = placeName({ q: 8, r: 8 });
/** Delay before the board is sent to be checked, so that quick successive changes cause a single request. */
const CHECK_DELAY_MS = 150;

export class PhysicalBoard {
  players = $state(2);
  size = $state(8);
  /** Seed of the layout; null for an entered board. */
  seed = $state<number | null>(null);
  /** The tiles of the layout, such as `c4R`; empty for an entered board. */
  layout = $state.raw<readonly string[]>([]);
  /** Color letters of the current tiles. */
  tiles = $state.raw<Readonly<Record<string, string>>>({});
  pawns = $state.raw<readonly (readonly string[])[]>([[], [], []]);
  toMove = $state(0);
  error = $state.raw<unknown>(null);
  /** Problem with the position; null if it is valid, undefined until the server has checked it. */
  problem = $state.raw<Problem | undefined>(undefined);
  advice = $state.raw<Advice | null>(null);
  analyzing = $state(false);
  #requestCount = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** The places where a tile can be added. */
  readonly openPlaces: readonly string[] = $derived.by(() => {
    const names = Object.keys(this.tiles);
    if (!names.length) return [FIRST_PLACE];
    if (names.length >= MAX_TILES) return [];
    return [...new Set(names.flatMap(adjacentPlaces))].filter((name) => !(name in this.tiles));
  });
  /** True if the position is the unchanged layout, so that the next turn is the first one. */
  readonly isInitial = $derived(
    this.layout.length > 0 &&
      this.layout.length === Object.keys(this.tiles).length &&
      this.layout.every((tile) => {
        const owner = COLOR_LETTERS.slice(0, this.players).indexOf(tile.slice(-1) as "R");
        return this.#ownerOf(tile.slice(0, -1)) === owner;
      }),
  );

  /** A record of the layout without turns. */
  readonly record = $derived({
    format: "limina/1",
    game: "limit",
    options: { size: this.layout.length / 4 },
    players: COLOR_LETTERS.slice(0, this.players),
    layout: this.layout,
    turns: [],
  });

  constructor() {
    try {
      const stored = JSON.parse(loadPreference(PREFERENCE_KEY) ?? "null") as StoredBoard | null;
      if (stored) Object.assign(this, stored);
    } catch {
      // Start anew if what is stored is not JSON.
    }
    if (this.layout.length || Object.keys(this.tiles).length) this.#check();
    else void this.deal();
  }

  #ownerOf(name: string): number {
    return this.pawns.findIndex((names) => names.includes(name));
  }

  /** Set up the layout of a seed, by default of a random one. */
  async deal(seed = Math.floor(Math.random() * MAX_SEED) + 1): Promise<void> {
    const request = ++this.#requestCount;
    this.error = null;
    try {
      const { view } = await this.#fetchState({ players: this.players, size: this.size, seed });
      if (request !== this.#requestCount || !view) return;
      this.seed = seed;
      this.layout = view.layout;
      this.tiles = view.tiles;
      this.pawns = [...view.pawns, []].slice(0, 3);
      this.toMove = 0;
      this.#changed();
    } catch (caught) {
      if (request === this.#requestCount) this.error = caught;
    }
  }

  /** Remove all tiles and pawns, to enter a position. */
  clear(): void {
    this.seed = null;
    this.layout = [];
    this.tiles = {};
    this.pawns = [[], [], []];
    this.toMove = 0;
    this.#changed();
  }

  /** Add a tile, or remove it with its pawn. */
  toggleTile(name: string): void {
    if (name in this.tiles) {
      const { [name]: _, ...tiles } = this.tiles;
      this.tiles = tiles;
      this.pawns = this.pawns.map((names) => names.filter((other) => other !== name));
    } else if (Object.keys(this.tiles).length < MAX_TILES) {
      this.tiles = { ...this.tiles, [name]: this.#colorFor(name) };
    }
    this.#changed();
  }

  /** Put a player's pawn on a tile in place of another player's, or remove the player's own pawn from it. */
  togglePawn(name: string, player: number): void {
    const isOwn = this.#ownerOf(name) === player;
    if (!(name in this.tiles) || (!isOwn && (this.pawns[player]?.length ?? 0) >= MAX_PAWNS_PER_PLAYER)) return;
    this.pawns = this.pawns.map((names, i) => {
      const others = names.filter((other) => other !== name);
      return i === player && !isOwn ? [...others, name] : others;
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

  /** Have a strong bot analyze the position. */
  async analyze(): Promise<void> {
    const request = this.#requestCount;
    this.analyzing = true;
    this.error = null;
    try {
      const advice = await requestJson<Advice>("/companion/hint", { body: { game: "limit", entry: this.#position() } });
      if (request === this.#requestCount) this.advice = advice;
    } catch (caught) {
      if (request === this.#requestCount) this.error = caught;
    } finally {
      this.analyzing = false;
    }
  }

  /** Return the tile's color in the layout, else the rarest color that no adjacent tile has. */
  #colorFor(name: string): string {
    const layoutTile = this.layout.find((tile) => tile.slice(0, -1) === name);
    if (layoutTile) return layoutTile.slice(-1);
    const adjacentColors = new Set(adjacentPlaces(name).map((adjacent) => this.tiles[adjacent]));
    const count = (color: string) => Object.values(this.tiles).filter((other) => other === color).length;
    return [..."RBYK"].filter((color) => !adjacentColors.has(color)).sort((a, b) => count(a) - count(b))[0] ?? "K";
  }

  #position(): Record<string, unknown> {
    const table = { players: this.players, tiles: Object.keys(this.tiles), pawns: this.pawns.slice(0, this.players) };
    const layout = this.layout.length ? { layout: this.layout, first: this.isInitial } : {};
    return { ...table, to_move: this.toMove, ...layout };
  }

  #changed(): void {
    this.#requestCount++;
    this.advice = null;
    this.problem = undefined;
    const { players, size, seed, layout, tiles, pawns, toMove } = this;
    savePreference(PREFERENCE_KEY, JSON.stringify({ players, size, seed, layout, tiles, pawns, toMove }));
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#check(), CHECK_DELAY_MS);
  }

  #check(): void {
    const request = ++this.#requestCount;
    this.#fetchState(this.#position()).then(
      ({ problem }) => {
        if (request !== this.#requestCount) return;
        this.error = null;
        this.problem = problem;
      },
      (caught: unknown) => {
        if (request === this.#requestCount) this.error = caught;
      },
    );
  }

  async #fetchState(entry: Record<string, unknown>): Promise<LimitCompanionState> {
    return (await requestJson<{ result: LimitCompanionState }>("/companion", { body: { game: "limit", entry } })).result;
  }
}
