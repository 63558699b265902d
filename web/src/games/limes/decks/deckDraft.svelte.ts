/** A deck that is being changed: its faces, where the next zone is entered, and the ways back and forth. */
import { BLANK, CARDS, isWhole, nextZone, otherHut, turned, UNKNOWN, type Face, type KnownZone, type Zone } from "./faces";

interface Moment {
  faces: readonly Face[];
  card: number;
  zone: number;
}

const MOST_UNDONE = 500;
const COLUMNS = 2;

export class DeckDraft {
  faces = $state.raw<readonly Face[]>([]);
  /** The card that is shown large, from 0, and its zone that is entered next. */
  card = $state(0);
  zone = $state(0);
  /** A face that can be given to other cards. */
  copied = $state.raw<Face | null>(null);
  #before = $state.raw<readonly Moment[]>([]);
  #after = $state.raw<readonly Moment[]>([]);
  /** Where the last zone was entered: a hut that is typed after it belongs there. */
  #entered: { card: number; zone: number } | null = null;

  constructor(
    faces: readonly Face[],
    /** Called after every change. */
    readonly changed: (faces: readonly Face[]) => void = () => undefined,
  ) {
    this.faces = faces;
    const open = faces.findIndex((face) => !isWhole(face));
    this.select(open < 0 ? 0 : open);
  }

  get face(): Face {
    return this.faces[this.card] ?? BLANK;
  }

  get whole(): boolean {
    return this.faces.every(isWhole);
  }

  get canUndo(): boolean {
    return this.#before.length > 0;
  }

  get canRedo(): boolean {
    return this.#after.length > 0;
  }

  /** Show a card, at the first of its zones that is still to be entered. */
  select(card: number, zone?: number): void {
    this.card = Math.min(Math.max(card, 0), CARDS - 1);
    this.zone = zone ?? Math.max(this.face.indexOf(UNKNOWN), 0);
    this.#entered = null;
  }

  /** Enter a zone and go on to the next one; after the fourth to the next card. */
  enter(written: KnownZone): void {
    const here = { card: this.card, zone: this.zone };
    this.#change(this.#with(here.card, here.zone, written));
    if (here.zone < 3) this.zone += 1;
    else if (here.card < CARDS - 1) this.select(here.card + 1, 0);
    this.#entered = here;
  }

  /** Change a zone of the card to the next that it can be; nothing goes on by itself. */
  cycle(zone: number): void {
    this.#change(this.#with(this.card, zone, nextZone(this.face[zone]!)));
    this.zone = zone;
    this.#entered = null;
  }

  /** A hut on the zone that was just entered, else on the one that is chosen, or none any more; whether one can be there. */
  hut(): boolean {
    const entered = this.#entered;
    const { card, zone } = entered ?? this;
    const other = otherHut(this.faces[card]![zone]!);
    if (other) this.#change(this.#with(card, zone, other));
    this.#entered = entered;
    return other !== null;
  }

  /** Back to the zone before this one, which is then to be entered again. */
  back(): void {
    if (this.zone === 0 && this.card === 0) return;
    const [card, zone] = this.zone > 0 ? [this.card, this.zone - 1] : [this.card - 1, 3];
    // The very last zone is entered where one stands.
    const last = this.#entered && this.#entered.card === this.card && this.#entered.zone === this.zone;
    const place = last ? { card: this.card, zone: this.zone } : { card, zone };
    this.#change(this.#with(place.card, place.zone, UNKNOWN));
    this.select(place.card, place.zone);
  }

  turn(by: 1 | -1): void {
    this.#change(this.#replaced(this.card, turned(this.face, by)));
    this.#entered = null;
  }

  copy(): void {
    this.copied = this.face;
  }

  paste(): void {
    if (this.copied) this.#change(this.#replaced(this.card, this.copied));
  }

  /** Give the card another number; the one that had it takes this card's. */
  swap(card: number): void {
    const faces = [...this.faces];
    [faces[this.card], faces[card]] = [faces[card]!, faces[this.card]!];
    this.#change(faces);
    this.card = card;
  }

  /** One zone further on the card, and over its side to the card before or after it. */
  move(dx: number, dy: number): void {
    const [x, y] = [(this.zone % COLUMNS) + dx, Math.floor(this.zone / COLUMNS) + dy];
    if (y < 0 || y > 1) return;
    if (x >= 0 && x < COLUMNS) this.zone = y * COLUMNS + x;
    else if (x < 0 ? this.card > 0 : this.card < CARDS - 1) this.select(this.card + dx, y * COLUMNS + (x < 0 ? 1 : 0));
    this.#entered = null;
  }

  undo(): void {
    const last = this.#before.at(-1);
    if (!last) return;
    this.#after = [...this.#after, this.#now()];
    this.#before = this.#before.slice(0, -1);
    this.#show(last);
  }

  redo(): void {
    const next = this.#after.at(-1);
    if (!next) return;
    this.#before = [...this.#before, this.#now()];
    this.#after = this.#after.slice(0, -1);
    this.#show(next);
  }

  #now(): Moment {
    return { faces: this.faces, card: this.card, zone: this.zone };
  }

  #show({ faces, card, zone }: Moment): void {
    this.faces = faces;
    this.select(card, zone);
    this.changed(faces);
  }

  #with(card: number, zone: number, written: Zone): readonly Face[] {
    return this.#replaced(card, this.faces[card]!.map((old, i) => (i === zone ? written : old)) as unknown as Face);
  }

  #replaced(card: number, face: Face): readonly Face[] {
    return this.faces.map((old, i) => (i === card ? face : old));
  }

  #change(faces: readonly Face[]): void {
    this.#before = [...this.#before, this.#now()].slice(-MOST_UNDONE);
    this.#after = [];
    this.faces = faces;
    this.changed(faces);
  }
}
