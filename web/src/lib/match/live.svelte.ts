/**
 * A match as it is now: one socket that comes back by itself, and turns that are sent until they are answered.
 *
 *     const live = new LiveMatch(id);
 *     live.open();            // and live.close() when the page goes
 *     live.state              // MatchState | null, replaced as a whole whenever something happens
 *     await live.play(seat, "e4r1 +nw");   // resolves once the server has saved it; throws ApiError
 *     await live.preview<LimesPreview>(seat, "e4r1");
 */
import { ApiError, type ClientMessage, type MatchState, type ServerMessage } from "../api";
import { keysOf, secret } from "../api/keys";

export type Connection = "connecting" | "live" | "lost" | "gone";

interface Waiting {
  message: ClientMessage;
  done: (answer: ServerMessage) => void;
  failed: (error: ApiError) => void;
  /** Turns must arrive; looks into the future may be forgotten when the connection is lost. */
  lasting: boolean;
}

const FIRST_PAUSE = 300;
const LONGEST_PAUSE = 8000;
const HEARTBEAT = 20_000;
const PATIENCE = 8000;

export class LiveMatch {
  state = $state.raw<MatchState | null>(null);
  connection = $state<Connection>("connecting");
  /** Why the match cannot be shown. */
  error = $state.raw<ApiError | null>(null);
  #sent = $state.raw<{ seat: number; number: number } | null>(null);
  /** Whether a turn is on its way: neither answered nor on the table yet. */
  readonly sending: boolean = $derived.by(() => {
    const sent = this.#sent;
    return sent !== null && (this.state?.seats[sent.seat]?.turns ?? 0) === sent.number;
  });
  /** A turn that was hinted at and is to be shown on the board; the table takes it and sets it to null. */
  suggestion = $state.raw<{ seat: number; turn: string } | null>(null);

  #socket: WebSocket | null = null;
  /** A state that gives me the move: shown together with what I may do, so that no key or click falls in between. */
  #next: { state: MatchState; lacks: Set<number> } | null = null;
  #waiting = new Map<string, Waiting>();
  #pause = FIRST_PAUSE;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #heart: ReturnType<typeof setInterval> | undefined;
  #overdue: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  constructor(readonly match: string) {}

  open(): void {
    this.#closed = false;
    addEventListener("online", this.#hurry);
    document.addEventListener("visibilitychange", this.#hurry);
    this.#connect();
  }

  close(): void {
    this.#closed = true;
    removeEventListener("online", this.#hurry);
    document.removeEventListener("visibilitychange", this.#hurry);
    clearTimeout(this.#timer);
    this.#drop();
  }

  /** Say hello again, after a seat was taken. */
  greet(): void {
    this.#send({ type: "hello", keys: keysOf(this.match), version: null, legal: true });
  }

  /** Play a turn. Sent again after every loss of the connection; the server plays it once. */
  async play(seat: number, turn: string): Promise<void> {
    const number = this.state?.seats[seat]?.turns ?? 0;
    this.#sent = { seat, number };
    try {
      const key = secret();
      await this.#ask({ type: "turn", key, seat, number, turn }, true);
    } finally {
      this.#sent = null;
    }
  }

  /** What a turn, or its first part, would lead to. */
  async preview<T>(seat: number, turn: string): Promise<T> {
    const answer = await this.#ask({ type: "preview", key: secret(), seat, turn }, false);
    if (answer.type !== "preview") throw new ApiError("unavailable");
    return answer.preview as T;
  }

  #ask(message: ClientMessage & { key: string }, lasting: boolean): Promise<ServerMessage> {
    return new Promise((done, failed) => {
      this.#waiting.set(message.key, { message, done, failed, lasting });
      if (this.connection === "live") this.#send(message);
      else if (!lasting) this.#refuse(message.key, new ApiError("offline"));
    });
  }

  #refuse(key: string, error: ApiError): void {
    this.#waiting.get(key)?.failed(error);
    this.#waiting.delete(key);
  }

  #send(message: ClientMessage): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #connect(): void {
    clearTimeout(this.#timer);
    this.#drop();
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/matches/${this.match}/live`);
    this.#socket = socket;
    socket.onopen = () => {
      const version = this.state?.version ?? null;
      this.#send({ type: "hello", keys: keysOf(this.match), version, legal: true });
    };
    socket.onmessage = (event: MessageEvent<string>) => this.#hear(JSON.parse(event.data) as ServerMessage);
    socket.onclose = () => socket === this.#socket && this.#lost();
  }

  #drop(): void {
    // What was on its way comes again as a whole.
    this.#next = null;
    clearInterval(this.#heart);
    clearTimeout(this.#overdue);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  #lost(): void {
    this.#drop();
    if (this.#closed || this.connection === "gone") return;
    this.connection = this.state ? "lost" : "connecting";
    for (const [key, { lasting }] of this.#waiting) if (!lasting) this.#refuse(key, new ApiError("offline"));
    // Not all at the same moment, when a server comes back to many.
    this.#timer = setTimeout(() => this.#connect(), this.#pause * (0.75 + Math.random() / 2));
    this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE);
  }

  #hurry = (): void => {
    if (document.visibilityState === "hidden" || this.#closed) return;
    if (this.connection === "live") this.#beat();
    else if (this.connection !== "gone") {
      this.#pause = FIRST_PAUSE;
      this.#connect();
    }
  };

  #beat = (): void => {
    this.#send({ type: "ping" });
    clearTimeout(this.#overdue);
    this.#overdue = setTimeout(() => this.#lost(), PATIENCE);
  };

  #welcome(): void {
    this.connection = "live";
    this.#pause = FIRST_PAUSE;
    clearInterval(this.#heart);
    this.#heart = setInterval(this.#beat, HEARTBEAT);
    for (const { message } of this.#waiting.values()) this.#send(message);
  }

  #show(state: MatchState, lacks: Set<number>): void {
    this.#next = lacks.size ? { state, lacks } : null;
    if (!lacks.size) this.state = state;
  }

  #hear(message: ServerMessage): void {
    clearTimeout(this.#overdue);
    const state = this.#next?.state ?? this.state;
    switch (message.type) {
      case "state":
        this.#next = null;
        this.state = message.state;
        if (this.connection !== "live") this.#welcome();
        break;
      case "current":
        this.#welcome();
        break;
      case "update": {
        if (!state) break;
        const { version, phase, to_move, turns, first, steps, view, outcome, reveal } = message;
        const moving = state.mine.filter((seat) => to_move.includes(seat));
        const lacks = moving.filter((seat) => !(seat in state.legal) || turns[seat] !== state.seats[seat]?.turns);
        const next = {
          ...state,
          version,
          phase,
          to_move,
          view,
          outcome,
          reveal,
          seats: state.seats.map((seat, i) => ({ ...seat, turns: turns[i] ?? seat.turns })),
          steps: [...state.steps.slice(0, first), ...steps],
          legal: Object.fromEntries(moving.filter((seat) => !lacks.includes(seat)).map((seat) => [seat, state.legal[seat]!])),
        };
        this.#show(next, new Set(lacks));
        break;
      }
      case "legal":
        if (state) {
          const lacks = new Set(this.#next?.lacks);
          lacks.delete(message.seat);
          this.#show({ ...state, legal: { ...state.legal, [message.seat]: message.legal } }, lacks);
        }
        break;
      case "played":
      case "preview":
        this.#waiting.get(message.key)?.done(message);
        this.#waiting.delete(message.key);
        break;
      case "refused":
        if (message.key !== null) this.#refuse(message.key, new ApiError(message.code, message.error));
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
