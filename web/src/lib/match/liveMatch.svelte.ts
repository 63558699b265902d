/**
 * A match as it is now: one socket that comes back by itself, and turns that are sent until they are answered.
 *
 *     const live = new LiveMatch(id);
 *     live.open();            // and live.close() when the page goes
 *     live.state              // MatchState | null, replaced as a whole whenever something happens
 *     await live.play(seat, "e4r1 +nw");   // resolves once the server has saved it; throws ApiError
 *     await live.preview<Preview>(seat, "e4r1");
 */
import { ApiError, requestJson, type ClientMessage, type MatchState, type ServerMessage, type UpdateMessage } from "$lib/api";
import { seatTokens, randomToken } from "$lib/api/seatTokens";
import type { TakeBack } from "./boardMatch";

export type Connection = "connecting" | "live" | "lost" | "gone";

interface Pending {
  message: ClientMessage;
  done: (answer: ServerMessage) => void;
  failed: (error: ApiError) => void;
  /** Turns must arrive; looks into the future may be forgotten when the connection is lost. */
  durable: boolean;
}

const FIRST_DELAY = 300;
const LONGEST_DELAY = 8000;
const HEARTBEAT = 20_000;
const ANSWER_TIMEOUT = 8000;

export class LiveMatch {
  state = $state.raw<MatchState | null>(null);
  connection = $state<Connection>("connecting");
  /** Why the match cannot be shown. */
  error = $state.raw<ApiError | null>(null);
  #sent = $state.raw<{ seat: number; number: number } | null>(null);
  /** Whether a turn is on its way: neither answered nor on the table yet. */
  readonly sending: boolean = $derived.by(() => {
    const sent = this.#sent;
    return sent !== null && (this.state?.seats[sent.seat]?.turn_count ?? 0) === sent.number;
  });
  /** A turn that was hinted at and is to be shown on the board; the table takes it and sets it to null. */
  suggestion = $state.raw<{ seat: number; turn: string } | null>(null);

  /** Whether the game lets turns be taken back where all others are bots. */
  takesBack = $state(false);

  /** How the last turn is taken back with the bots' answers, where that can be. */
  readonly takeBack: TakeBack | null = $derived.by(() => {
    const now = this.state;
    const seat = now && this.takesBack && now.rematch_id === null ? soloSeat(now) : null;
    if (seat === null) return null;
    const turns = now?.seats[seat]?.turn_count ?? 0;
    return { ready: turns > 0, run: () => this.#takeBack(seat, turns - 1) };
  });

  #socket: WebSocket | null = null;
  #pending = new Map<string, Pending>();
  #delay = FIRST_DELAY;
  #reconnecting: ReturnType<typeof setTimeout> | undefined;
  #heartbeat: ReturnType<typeof setInterval> | undefined;
  #overdue: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  constructor(readonly match: string) {}

  open(): void {
    this.#closed = false;
    addEventListener("online", this.#reconnect);
    document.addEventListener("visibilitychange", this.#reconnect);
    this.#connect();
  }

  close(): void {
    this.#closed = true;
    removeEventListener("online", this.#reconnect);
    document.removeEventListener("visibilitychange", this.#reconnect);
    clearTimeout(this.#reconnecting);
    this.#drop();
  }

  /** Say hello again, after a seat was taken. */
  hello(): void {
    this.#send({ type: "hello", seat_tokens: seatTokens(this.match), version: null, legal: true });
  }

  /** Play a turn. Sent again after every loss of the connection; the server plays it once. */
  async play(seat: number, turn: string): Promise<void> {
    const number = this.state?.seats[seat]?.turn_count ?? 0;
    this.#sent = { seat, number };
    try {
      const idempotency_key = randomToken();
      await this.#ask({ type: "turn", idempotency_key, seat_index: seat, turn_index: number, turn }, idempotency_key, true);
    } finally {
      this.#sent = null;
    }
  }

  /** Asked again for the same turn, the server does nothing; the state comes by the socket like any other. */
  async #takeBack(seat: number, number: number): Promise<void> {
    const body = { seat_index: seat, turn_index: number, version: this.state?.version };
    const state = await requestJson<MatchState>(`/matches/${this.match}/take-back`, { body, tokens: seatTokens(this.match) });
    if (state.version > (this.state?.version ?? 0)) this.state = state;
  }

  /** What a turn, or its first part, would lead to. */
  async preview<T>(seat: number, turn: string): Promise<T> {
    const request_id = randomToken();
    const answer = await this.#ask({ type: "preview", request_id, seat_index: seat, turn }, request_id, false);
    if (answer.type !== "preview") throw new ApiError("unavailable");
    return answer.preview as T;
  }

  #ask(message: ClientMessage, id: string, durable: boolean): Promise<ServerMessage> {
    return new Promise((done, failed) => {
      this.#pending.set(id, { message, done, failed, durable });
      if (this.connection === "live") this.#send(message);
      else if (!durable) this.#refuse(id, new ApiError("offline"));
    });
  }

  #answer(id: string, message: ServerMessage): void {
    this.#pending.get(id)?.done(message);
    this.#pending.delete(id);
  }

  #refuse(id: string, error: ApiError): void {
    this.#pending.get(id)?.failed(error);
    this.#pending.delete(id);
  }

  #send(message: ClientMessage): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #connect(): void {
    clearTimeout(this.#reconnecting);
    this.#drop();
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/matches/${this.match}/live`);
    this.#socket = socket;
    socket.onopen = () => {
      const version = this.state?.version ?? null;
      this.#send({ type: "hello", seat_tokens: seatTokens(this.match), version, legal: true });
    };
    socket.onmessage = (event: MessageEvent<string>) => this.#receive(JSON.parse(event.data) as ServerMessage);
    socket.onclose = () => socket === this.#socket && this.#lost();
  }

  #drop(): void {
    clearInterval(this.#heartbeat);
    clearTimeout(this.#overdue);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  #lost(): void {
    this.#drop();
    if (this.#closed || this.connection === "gone") return;
    this.connection = this.state ? "lost" : "connecting";
    for (const [id, { durable }] of this.#pending) if (!durable) this.#refuse(id, new ApiError("offline"));
    // Not all at the same moment, when a server comes back to many.
    this.#reconnecting = setTimeout(() => this.#connect(), this.#delay * (0.75 + Math.random() / 2));
    this.#delay = Math.min(this.#delay * 2, LONGEST_DELAY);
  }

  #reconnect = (): void => {
    if (document.visibilityState === "hidden" || this.#closed) return;
    if (this.connection === "live") this.#ping();
    else if (this.connection !== "gone") {
      this.#delay = FIRST_DELAY;
      this.#connect();
    }
  };

  #ping = (): void => {
    this.#send({ type: "ping" });
    clearTimeout(this.#overdue);
    this.#overdue = setTimeout(() => this.#lost(), ANSWER_TIMEOUT);
  };

  #connected(): void {
    this.connection = "live";
    this.#delay = FIRST_DELAY;
    clearInterval(this.#heartbeat);
    this.#heartbeat = setInterval(this.#ping, HEARTBEAT);
    for (const { message } of this.#pending.values()) this.#send(message);
  }

  #receive(message: ServerMessage): void {
    clearTimeout(this.#overdue);
    switch (message.type) {
      case "state":
        this.state = message.state;
        if (this.connection !== "live") this.#connected();
        break;
      case "current":
        this.#connected();
        break;
      case "update":
        if (this.state) this.state = applyUpdate(this.state, message);
        break;
      case "played":
        this.#answer(message.idempotency_key, message);
        break;
      case "legal":
      case "preview":
        this.#answer(message.request_id, message);
        break;
      case "refused":
        if (message.request_id !== null) this.#refuse(message.request_id, new ApiError(message.code, message.error));
        else if (message.code === "not_found" || message.code === "private") {
          this.error = new ApiError(message.code, message.error);
          this.connection = "gone";
          this.close();
        }
        break;
      case "pong":
        break;
    }
  }
}

/** The seat at this screen, where all others are bots'. */
export function soloSeat({ my_seats, seats }: MatchState): number | null {
  const alone = my_seats.length === 1 && seats.filter(({ kind }) => kind !== "bot").length === 1;
  return alone ? my_seats[0]! : null;
}

/** The state after an update: seats that may still move keep their legal turns, unless others were sent. */
export function applyUpdate(state: MatchState, message: UpdateMessage): MatchState {
  const { type: _, turn_counts, unchanged_steps, steps, legal, ...changed } = message;
  const moving = state.my_seats.filter((seat) => changed.to_move.includes(seat));
  return {
    ...state,
    ...changed,
    seats: state.seats.map((seat, i) => ({ ...seat, turn_count: turn_counts[i] ?? seat.turn_count })),
    steps: [...state.steps.slice(0, unchanged_steps), ...steps],
    legal: Object.fromEntries(
      moving.flatMap((seat) => {
        const found = legal[seat] ?? state.legal[seat];
        return found ? [[seat, found]] : [];
      }),
    ),
  };
}
