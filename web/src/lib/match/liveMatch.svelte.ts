/**
 * The live state of a match: one socket that reconnects by itself, and turns that are sent until they are answered.
 *
 *     const live = new LiveMatch(id);
 *     live.open();            // live.close() when the page is left
 *     live.state              // MatchState | null, a new object after every change
 *     await live.play(seat, "e4r1 +nw");   // resolves when the server has saved the turn; throws ApiError
 *     await live.preview<Preview>(seat, "e4r1");
 */
import { ApiError, requestJson, type ClientMessage, type MatchState, type ServerMessage, type UpdateMessage } from "$lib/api";
import { seatTokens, randomToken } from "$lib/api/seatTokens";
import type { TakeBack } from "./boardMatch";

export type Connection = "connecting" | "live" | "lost" | "gone";

interface PendingRequest {
  message: ClientMessage;
  resolve: (answer: ServerMessage) => void;
  reject: (error: ApiError) => void;
  /** Send the message again after a reconnect, as for turns. Other requests fail when the connection is lost. */
  durable: boolean;
}

const MIN_RECONNECT_MILLISECONDS = 300;
const MAX_RECONNECT_MILLISECONDS = 8000;
const PING_INTERVAL_MILLISECONDS = 20_000;
/** The connection counts as lost if the server sends nothing for this long after a ping. */
const PONG_TIMEOUT_MILLISECONDS = 8000;

export class LiveMatch {
  state = $state.raw<MatchState | null>(null);
  connection = $state<Connection>("connecting");
  /** The error because of which the match cannot be shown. */
  error = $state.raw<ApiError | null>(null);
  /** The turn that is being sent. */
  #sent = $state.raw<{ seatIndex: number; turnIndex: number } | null>(null);
  /** True while a turn is sent, is not answered, and is not part of the state. */
  readonly sending: boolean = $derived.by(() => {
    const sent = this.#sent;
    return sent !== null && (this.state?.seats[sent.seatIndex]?.turn_count ?? 0) === sent.turnIndex;
  });
  /** A hinted turn to show on the board. The turn controller applies it to the draft and sets this to null. */
  suggestion = $state.raw<{ seat: number; turn: string } | null>(null);

  /** True if the game allows turns to be taken back in a match against bots. */
  allowsTakeBack = $state(false);

  /** Takes back the last turn and the bots' turns after it; null if this match does not allow it. */
  readonly takeBack: TakeBack | null = $derived.by(() => {
    const now = this.state;
    const seat = now && this.allowsTakeBack && now.rematch_id === null ? soloSeat(now) : null;
    if (seat === null) return null;
    const turns = now?.seats[seat]?.turn_count ?? 0;
    return { available: turns > 0, run: () => this.#takeBack(seat, turns - 1) };
  });

  #socket: WebSocket | null = null;
  #pending = new Map<string, PendingRequest>();
  #reconnectDelay = MIN_RECONNECT_MILLISECONDS;
  #reconnectTimer: ReturnType<typeof setTimeout> | undefined;
  #pingTimer: ReturnType<typeof setInterval> | undefined;
  #pongTimer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  constructor(readonly matchId: string) {}

  open(): void {
    this.#closed = false;
    addEventListener("online", this.#reconnectNow);
    document.addEventListener("visibilitychange", this.#reconnectNow);
    this.#connect();
  }

  close(): void {
    this.#closed = true;
    removeEventListener("online", this.#reconnectNow);
    document.removeEventListener("visibilitychange", this.#reconnectNow);
    clearTimeout(this.#reconnectTimer);
    this.#closeSocket();
  }

  /** Send the seat tokens again, after a seat was taken. */
  hello(): void {
    this.#send({ type: "hello", seat_tokens: seatTokens(this.matchId), version: null, legal: true });
  }

  /** Play a turn. It is sent again after each reconnect with the same idempotency key, so that the server plays it once. */
  async play(seatIndex: number, turn: string): Promise<void> {
    const turnIndex = this.state?.seats[seatIndex]?.turn_count ?? 0;
    this.#sent = { seatIndex, turnIndex };
    try {
      const idempotency_key = randomToken();
      await this.#request(
        { type: "turn", idempotency_key, seat_index: seatIndex, turn_index: turnIndex, turn },
        idempotency_key,
        true,
      );
    } finally {
      this.#sent = null;
    }
  }

  /** Take back a turn. The server ignores a repeated request for the same turn. The socket delivers the state as well. */
  async #takeBack(seatIndex: number, turnIndex: number): Promise<void> {
    const body = { seat_index: seatIndex, turn_index: turnIndex, version: this.state?.version };
    const state = await requestJson<MatchState>(`/matches/${this.matchId}/take-back`, { body, tokens: seatTokens(this.matchId) });
    if (state.version > (this.state?.version ?? 0)) this.state = state;
  }

  /** Return the position after a turn or a part of one. */
  async preview<T>(seatIndex: number, turn: string): Promise<T> {
    const request_id = randomToken();
    const answer = await this.#request({ type: "preview", request_id, seat_index: seatIndex, turn }, request_id, false);
    if (answer.type !== "preview") throw new ApiError("unavailable");
    return answer.preview as T;
  }

  #request(message: ClientMessage, id: string, durable: boolean): Promise<ServerMessage> {
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { message, resolve, reject, durable });
      if (this.connection === "live") this.#send(message);
      else if (!durable) this.#reject(id, new ApiError("offline"));
    });
  }

  #answer(id: string, message: ServerMessage): void {
    this.#pending.get(id)?.resolve(message);
    this.#pending.delete(id);
  }

  #reject(id: string, error: ApiError): void {
    this.#pending.get(id)?.reject(error);
    this.#pending.delete(id);
  }

  #send(message: ClientMessage): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #connect(): void {
    clearTimeout(this.#reconnectTimer);
    this.#closeSocket();
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/matches/${this.matchId}/live`);
    this.#socket = socket;
    socket.onopen = () => {
      const version = this.state?.version ?? null;
      this.#send({ type: "hello", seat_tokens: seatTokens(this.matchId), version, legal: true });
    };
    socket.onmessage = (event: MessageEvent<string>) => this.#receive(JSON.parse(event.data) as ServerMessage);
    socket.onclose = () => socket === this.#socket && this.#onConnectionLost();
  }

  #closeSocket(): void {
    clearInterval(this.#pingTimer);
    clearTimeout(this.#pongTimer);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  #onConnectionLost(): void {
    this.#closeSocket();
    if (this.#closed || this.connection === "gone") return;
    this.connection = this.state ? "lost" : "connecting";
    for (const [id, { durable }] of this.#pending) if (!durable) this.#reject(id, new ApiError("offline"));
    // A random delay, so that not all clients reconnect at once after a restart of the server.
    this.#reconnectTimer = setTimeout(() => this.#connect(), this.#reconnectDelay * (0.75 + Math.random() / 2));
    this.#reconnectDelay = Math.min(this.#reconnectDelay * 2, MAX_RECONNECT_MILLISECONDS);
  }

  #reconnectNow = (): void => {
    if (document.visibilityState === "hidden" || this.#closed) return;
    if (this.connection === "live") this.#ping();
    else if (this.connection !== "gone") {
      this.#reconnectDelay = MIN_RECONNECT_MILLISECONDS;
      this.#connect();
    }
  };

  #ping = (): void => {
    this.#send({ type: "ping" });
    clearTimeout(this.#pongTimer);
    this.#pongTimer = setTimeout(() => this.#onConnectionLost(), PONG_TIMEOUT_MILLISECONDS);
  };

  #onConnected(): void {
    this.connection = "live";
    this.#reconnectDelay = MIN_RECONNECT_MILLISECONDS;
    clearInterval(this.#pingTimer);
    this.#pingTimer = setInterval(this.#ping, PING_INTERVAL_MILLISECONDS);
    for (const { message } of this.#pending.values()) this.#send(message);
  }

  #receive(message: ServerMessage): void {
    clearTimeout(this.#pongTimer);
    switch (message.type) {
      case "state":
        this.state = message.state;
        if (this.connection !== "live") this.#onConnected();
        break;
      case "current":
        this.#onConnected();
        break;
      case "update":
        if (this.state) this.state = stateAfterUpdate(this.state, message);
        break;
      case "played":
        this.#answer(message.idempotency_key, message);
        break;
      case "legal":
      case "preview":
        this.#answer(message.request_id, message);
        break;
      case "refused":
        if (message.request_id !== null) this.#reject(message.request_id, new ApiError(message.code, message.error));
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

/** Return the only seat at this screen if all other seats are bots, else null. */
export function soloSeat({ my_seats, seats }: MatchState): number | null {
  const isSolo = my_seats.length === 1 && seats.filter(({ kind }) => kind !== "bot").length === 1;
  return isSolo ? my_seats[0]! : null;
}

/** Return the state after an update. Seats at this screen that are to move keep their legal turns unless the update has new ones. */
export function stateAfterUpdate(state: MatchState, message: UpdateMessage): MatchState {
  const { type: _, turn_counts, unchanged_steps, steps, legal, ...changed } = message;
  const moving = state.my_seats.filter((seat) => changed.to_move.includes(seat));
  return {
    ...state,
    ...changed,
    seats: state.seats.map((seat, i) => ({ ...seat, turn_count: turn_counts[i] ?? seat.turn_count })),
    steps: [...state.steps.slice(0, unchanged_steps), ...steps],
    legal: Object.fromEntries(
      moving.flatMap((seat) => {
        const turns = legal[seat] ?? state.legal[seat];
        return turns ? [[seat, turns]] : [];
      }),
    ),
  };
}
