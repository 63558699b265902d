/** A deck in the editor: its faces, the selected card and zone, and the undo history. */
import {
  BLANK,
  DECK_SIZE,
  isComplete,
  nextZoneKind,
  rotated,
  UNKNOWN,
  withHutToggled,
  type Face,
  type KnownZone,
  type Zone,
} from "./faces";

interface Snapshot {
  faces: readonly Face[];
  card: number;
  zone: number;
}

const MAX_UNDO_STEPS = 500;
/** Zones in a row of a card. */
const COLUMNS = 2;

export class DeckDraft {
  faces = $state.raw<readonly Face[]>([]);
  /** Index of the selected card. */
  card = $state(0);
  /** Index of the selected zone, which is entered next. */
  zone = $state(0);
  /** The copied face, which can be pasted to other cards. */
  copied = $state.raw<Face | null>(null);
  #undoStack = $state.raw<readonly Snapshot[]>([]);
  #redoStack = $state.raw<readonly Snapshot[]>([]);
  /** The zone that was entered last, to which a hut that is typed next belongs. */
  #entered: { card: number; zone: number } | null = null;

  constructor(
    faces: readonly Face[],
    /** Called after every change. */
    readonly onchange: (faces: readonly Face[]) => void = () => undefined,
  ) {
    this.faces = faces;
    const open = faces.findIndex((face) => !isComplete(face));
    this.select(open < 0 ? 0 : open);
  }

  get face(): Face {
    return this.faces[this.card] ?? BLANK;
  }

  get isComplete(): boolean {
    return this.faces.every(isComplete);
  }

  get canUndo(): boolean {
    return this.#undoStack.length > 0;
  }

  get canRedo(): boolean {
    return this.#redoStack.length > 0;
  }

  /** Select a card and a zone; by default the card's first unknown zone. */
  select(card: number, zone?: number): void {
    this.card = Math.min(Math.max(card, 0), DECK_SIZE - 1);
    this.zone = zone ?? Math.max(this.face.indexOf(UNKNOWN), 0);
    this.#entered = null;
  }

  /** Enter the selected zone and select the next one, after the fourth the first zone of the next card. */
  enter(value: KnownZone): void {
    const { card, zone } = this;
    this.#change(this.#withZone(card, zone, value));
    if (zone < 3) this.zone += 1;
    else if (card < DECK_SIZE - 1) this.select(card + 1, 0);
    this.#entered = { card, zone };
  }

  /** Select a zone of the card and change it to the next value. */
  cycle(zone: number): void {
    this.#change(this.#withZone(this.card, zone, nextZoneKind(this.face[zone]!)));
    this.zone = zone;
    this.#entered = null;
  }

  /** Add or remove a hut on the zone that was just entered, else on the selected one. Return false if it cannot have one. */
  toggleHut(): boolean {
    const entered = this.#entered;
    const { card, zone } = entered ?? this;
    const toggled = withHutToggled(this.faces[card]![zone]!);
    if (toggled) this.#change(this.#withZone(card, zone, toggled));
    this.#entered = entered;
    return toggled !== null;
  }

  /** Erase the zone before the selected one and select it. */
  eraseLast(): void {
    if (this.zone === 0 && this.card === 0) return;
    // After the last zone of the deck the selection stays on it.
    const isLastZone = this.#entered?.card === this.card && this.#entered.zone === this.zone;
    const previous: [number, number] = this.zone > 0 ? [this.card, this.zone - 1] : [this.card - 1, 3];
    const [card, zone] = isLastZone ? [this.card, this.zone] : previous;
    this.#change(this.#withZone(card, zone, UNKNOWN));
    this.select(card, zone);
  }

  rotate(direction: 1 | -1): void {
    this.#change(this.#withFace(this.card, rotated(this.face, direction)));
    this.#entered = null;
  }

  copy(): void {
    this.copied = this.face;
  }

  paste(): void {
    if (this.copied) this.#change(this.#withFace(this.card, this.copied));
  }

  /** Swap the selected card with another one. */
  swap(card: number): void {
    const faces = [...this.faces];
    [faces[this.card], faces[card]] = [faces[card]!, faces[this.card]!];
    this.#change(faces);
    this.card = card;
  }

  /** Move the selection by one zone, over the left or right side of a card to the previous or next card. */
  move(dx: number, dy: number): void {
    const [x, y] = [(this.zone % COLUMNS) + dx, Math.floor(this.zone / COLUMNS) + dy];
    if (y < 0 || y > 1) return;
    if (x >= 0 && x < COLUMNS) this.zone = y * COLUMNS + x;
    else if (x < 0 ? this.card > 0 : this.card < DECK_SIZE - 1) this.select(this.card + dx, y * COLUMNS + (x < 0 ? 1 : 0));
    this.#entered = null;
  }

  undo(): void {
    const last = this.#undoStack.at(-1);
    if (!last) return;
    this.#redoStack = [...this.#redoStack, this.#snapshot()];
    this.#undoStack = this.#undoStack.slice(0, -1);
    this.#restore(last);
  }

  redo(): void {
    const next = this.#redoStack.at(-1);
    if (!next) return;
    this.#undoStack = [...this.#undoStack, this.#snapshot()];
    this.#redoStack = this.#redoStack.slice(0, -1);
    this.#restore(next);
  }

  #snapshot(): Snapshot {
    return { faces: this.faces, card: this.card, zone: this.zone };
  }

  #restore({ faces, card, zone }: Snapshot): void {
    this.faces = faces;
    this.select(card, zone);
    this.onchange(faces);
  }

  #withZone(card: number, zone: number, value: Zone): readonly Face[] {
    return this.#withFace(card, this.faces[card]!.map((old, i) => (i === zone ? value : old)) as unknown as Face);
  }

  #withFace(card: number, face: Face): readonly Face[] {
    return this.faces.map((old, i) => (i === card ? face : old));
  }

  #change(faces: readonly Face[]): void {
    this.#undoStack = [...this.#undoStack, this.#snapshot()].slice(-MAX_UNDO_STEPS);
    this.#redoStack = [];
    this.faces = faces;
    this.onchange(faces);
  }
}
