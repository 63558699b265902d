/** A physical game that players enter. The browser stores it, and the server scores it. */
import { requestJson } from "$lib/api";
import { t } from "$lib/i18n/messages.svelte";
import { savePreference, loadPreference } from "$lib/storage/preferences";
import type { LimesDisplay, LimesCompanionState } from "../types";
import {
  DECK_SIZE,
  isConnected,
  nextCell,
  openCells,
  type PlacedCards,
  ROUNDS,
  shiftToStartCell,
  shuffled,
  unscoredDisplay,
  WORKERS_PER_PLAYER,
} from "./cards";

export interface PhysicalPlayer {
  name: string;
  cards: PlacedCards;
  workers: readonly string[];
  /** Zones of the workers at the end of each round, as far as they were entered during the game. */
  workersByRound: readonly (readonly string[])[];
}

interface StoredGame {
  /** `course` is the name of `workersByRound` in earlier versions. */
  players: (Omit<PhysicalPlayer, "workersByRound"> & { workersByRound?: string[][]; course?: string[][] })[];
  options: Record<string, unknown>;
  draws: number[];
  pile: number[] | null;
}

const PREFERENCE_KEY = "companion.limes";
export const MAX_PLAYERS = 8;
/** Delay before the game is sent to be scored, so that quick successive changes cause a single request. */
const SCORE_DELAY_MS = 120;

const newPlayer = (): PhysicalPlayer => ({ name: "", cards: {}, workers: [], workersByRound: [] });
const displayKey = ({ cards, workers }: PhysicalPlayer) => JSON.stringify([cards, workers]);

export class PhysicalGame {
  players = $state.raw<readonly PhysicalPlayer[]>([newPlayer(), newPlayer()]);
  /** Options of the game, deck included. */
  options = $state.raw<Record<string, unknown>>({});
  /** Numbers of the drawn cards, in order; empty if only the final displays are entered. */
  draws = $state.raw<readonly number[]>([]);
  /** The cards of the draw pile, the next one first; null if players draw physical cards and enter them. */
  pile = $state.raw<readonly number[] | null>(null);
  /** Seat of the player whose display is being entered. */
  seatIndex = $state(0);
  error = $state.raw<unknown>(null);
  /** The server's last answer, and the displays to which it belongs. */
  #scored = $state.raw<{ displayKeys: readonly string[]; state: LimesCompanionState } | null>(null);
  #requestCount = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    try {
      const stored = JSON.parse(loadPreference(PREFERENCE_KEY) ?? "null") as StoredGame | null;
      if (stored?.players.length) {
        this.players = stored.players
          .slice(0, MAX_PLAYERS)
          .map(({ course = [], workersByRound = course, ...player }) => ({ ...player, workersByRound }));
        this.options = stored.options;
        this.draws = stored.draws;
        this.pile = stored.pile;
      }
    } catch {
      // Start anew if the stored game is invalid.
    }
    this.#score();
  }

  readonly diagonal = $derived(Boolean(this.options.diagonal));
  readonly names = $derived(this.players.map(({ name }, seat) => name.trim() || t("seat.number", { n: seat + 1 })));
  readonly player = $derived(this.players[this.seatIndex] ?? this.players[0]!);
  readonly openCells = $derived(openCells(this.player.cards, this.diagonal));
  readonly isConnected = $derived(isConnected(this.player.cards, this.diagonal));
  readonly deck: readonly string[] = $derived(this.#scored?.state.deck ?? []);
  /** The displays, scored by the server as far as its last answer is about them. */
  readonly displays: readonly LimesDisplay[] = $derived(
    this.players.map((player, seat) => {
      const scored = this.#scored?.state.displays[seat];
      if (scored && this.#scored?.displayKeys[seat] === displayKey(player)) return scored;
      return unscoredDisplay(player.cards, player.workers, this.deck, scored?.total ?? 0);
    }),
  );
  /** The server's answer; null if any display has changed since. */
  readonly scored: LimesCompanionState | null = $derived(
    this.players.every((player, seat) => this.#scored?.displayKeys[seat] === displayKey(player))
      ? (this.#scored?.state ?? null)
      : null,
  );
  /** Number of the last drawn card; null if this player has placed it. */
  readonly cardInHand: number | null = $derived.by(() => {
    const last = this.draws.at(-1);
    return last !== undefined && !this.cardNumbers(this.player).has(last) ? last : null;
  });
  /** Numbers that this player's next card may have. */
  readonly availableCards: readonly number[] = $derived.by(() => {
    const placed = this.cardNumbers(this.player);
    const completePlayer = this.players.find(({ cards }) => Object.keys(cards).length === ROUNDS);
    const candidates = this.draws.length
      ? this.draws
      : completePlayer
        ? [...this.cardNumbers(completePlayer)]
        : Array.from({ length: DECK_SIZE }, (_, i) => i + 1);
    return candidates.filter((card) => !placed.has(card)).sort((a, b) => a - b);
  });
  /** The first two players with complete displays of different cards; `cards` are those that only `seat` has. */
  readonly mismatch: { seat: number; otherSeat: number; cards: number[] } | null = $derived.by(() => {
    const cardsBySeat = this.players.map((player) => this.cardNumbers(player));
    const otherSeat = cardsBySeat.findIndex(({ size }) => size === ROUNDS);
    const extraCards = (cards: Set<number>) => [...cards].filter((card) => !cardsBySeat[otherSeat]!.has(card));
    const seat = cardsBySeat.findIndex((cards, i) => cards.size === ROUNDS && i > otherSeat && extraCards(cards).length > 0);
    return seat < 0 ? null : { seat, otherSeat, cards: extraCards(cardsBySeat[seat]!).sort((a, b) => a - b) };
  });
  readonly isEmpty = $derived(!this.draws.length && this.players.every(({ cards }) => !Object.keys(cards).length));

  cardNumbers({ cards }: PhysicalPlayer): Set<number> {
    return new Set(Object.values(cards).map(([cardNumber]) => cardNumber));
  }

  // --- players and options

  renamePlayer(seat: number, name: string): void {
    this.#updatePlayer(seat, { name: name.slice(0, 40) });
  }

  addPlayer(): void {
    if (this.players.length >= MAX_PLAYERS) return;
    this.players = [...this.players, newPlayer()];
    this.#changed();
  }

  removePlayer(seat: number): void {
    if (this.players.length < 2) return;
    this.players = this.players.filter((_, i) => i !== seat);
    this.seatIndex = Math.min(this.seatIndex, this.players.length - 1);
    this.#changed();
  }

  setOptions(options: Record<string, unknown>): void {
    this.options = options;
    this.#changed();
  }

  /** Remove all cards and workers; names and options stay. */
  clear(): void {
    this.players = this.players.map(({ name }) => ({ ...newPlayer(), name }));
    this.draws = [];
    this.pile = null;
    this.seatIndex = 0;
    this.#changed();
  }

  // --- the draw pile

  /** Shuffle the deck and draw the first card. */
  shuffle(): void {
    this.pile = shuffled(Array.from({ length: DECK_SIZE }, (_, i) => i + 1));
    this.draws = [];
    this.draw();
  }

  /** Draw the next card of the pile, or the card that was drawn from the physical pile. */
  draw(cardNumber?: number): void {
    const next = cardNumber ?? this.pile?.[0];
    if (next === undefined || this.draws.length >= ROUNDS || this.draws.includes(next)) return;
    const round = this.draws.length;
    this.players = this.players.map((player) => {
      const { workersByRound } = player;
      const hasEnteredRound = round > 0 && workersByRound.length === round - 1 && Object.keys(player.cards).length === round;
      return hasEnteredRound ? { ...player, workersByRound: [...workersByRound, player.workers] } : player;
    });
    this.draws = [...this.draws, next];
    if (this.pile) this.pile = this.pile.filter((card) => card !== next);
    this.#changed();
  }

  /** Put the last drawn card back, unless a player has placed it. */
  undoDraw(): void {
    const last = this.draws.at(-1);
    if (last === undefined || this.players.some((player) => this.cardNumbers(player).has(last))) return;
    this.draws = this.draws.slice(0, -1);
    if (this.pile) this.pile = [last, ...this.pile];
    this.players = this.players.map((player) => ({
      ...player,
      workersByRound: player.workersByRound.slice(0, Math.max(0, this.draws.length - 1)),
    }));
    this.#changed();
  }

  // --- displays

  /** Place a card on a cell, or replace the card there. Return the cell where the next card is likely to be. */
  placeCard(cell: string, cardNumber: number): string | null {
    const { [cell]: replaced, ...others } = this.player.cards;
    this.#updatePlayer(this.seatIndex, { cards: { ...others, [cell]: [cardNumber, replaced?.[1] ?? 0] } });
    return nextCell(this.player.cards, cell, this.diagonal);
  }

  rotateCard(cell: string, quarterTurns: number): void {
    const card = this.player.cards[cell];
    if (!card) return;
    const [cardNumber, turning] = card;
    const cards = { ...this.player.cards, [cell]: [cardNumber, (turning + quarterTurns + 4) % 4] as const };
    this.#updatePlayer(this.seatIndex, { cards });
  }

  /** Remove a card and the workers on it. */
  removeCard(cell: string): void {
    const { [cell]: _, ...cards } = this.player.cards;
    const shift = shiftToStartCell(cards);
    const shiftZone = (zone: string) => shift(zone.slice(0, 2)) + zone.slice(2);
    this.#updatePlayer(this.seatIndex, {
      cards: Object.fromEntries(Object.entries(cards).map(([other, card]) => [shift(other), card])),
      workers: this.player.workers.filter((zone) => !zone.startsWith(cell)).map(shiftZone),
      workersByRound: [],
    });
  }

  addWorker(zone: string): void {
    const { workers } = this.player;
    if (workers.length < WORKERS_PER_PLAYER) this.#updatePlayer(this.seatIndex, { workers: [...workers, zone] });
  }

  removeWorker(zone: string): void {
    const index = this.player.workers.lastIndexOf(zone);
    if (index >= 0) this.#updatePlayer(this.seatIndex, { workers: this.player.workers.filter((_, i) => i !== index) });
  }

  #updatePlayer(seat: number, change: Partial<PhysicalPlayer>): void {
    this.players = this.players.map((player, i) => (i === seat ? { ...player, ...change } : player));
    this.#changed();
  }

  #changed(): void {
    const { players, options, draws, pile } = this;
    savePreference(PREFERENCE_KEY, JSON.stringify({ players, options, draws, pile }));
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#score(), SCORE_DELAY_MS);
  }

  /** Have the server score the game. An answer that a later request has overtaken is ignored. */
  #score(): void {
    const request = ++this.#requestCount;
    const displayKeys = this.players.map(displayKey);
    const { deck, ...options } = this.options;
    const displays = this.players.map(({ cards, workers, workersByRound }) => {
      // Disconnected cards cannot be scored; the page says so beside the display.
      if (!isConnected(cards, this.diagonal)) return { cards: {}, workers: [] };
      const isComplete = workersByRound.length === ROUNDS - 1 && this.draws.length === ROUNDS;
      return { cards, workers, ...(isComplete ? { workers_by_round: [...workersByRound, workers] } : {}) };
    });
    const entry = {
      players: this.names,
      options,
      displays,
      ...(deck ? { deck } : {}),
      ...(this.draws.length ? { draws: this.draws } : {}),
    };
    requestJson<{ result: LimesCompanionState }>("/companion", { body: { game: "limes", entry } }).then(
      ({ result: state }) => {
        if (request !== this.#requestCount) return;
        this.error = null;
        this.#scored = { displayKeys, state };
      },
      (caught: unknown) => {
        if (request === this.#requestCount) this.error = caught;
      },
    );
  }
}
