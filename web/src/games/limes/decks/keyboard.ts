/** A deck entered by keyboard alone: letters for landscapes as they are written, `*` after one for its hut. */
import { isShortcut } from "$lib/input/shortcuts";
import type { DeckDraft } from "./deckDraft.svelte";
import type { KnownZone } from "./faces";

const ARROWS: Record<string, [number, number]> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

interface Hands {
  enter: (zone: KnownZone) => void;
  /** Do something with the card and say what came of it. */
  tell: (act: () => void) => void;
}

/** Do what a key means; whether it means anything. */
export function deckKey(event: KeyboardEvent, draft: DeckDraft, { enter, tell }: Hands): boolean {
  if (!isShortcut(event)) return false;
  const key = event.key.toLowerCase();
  if (event.ctrlKey) {
    if (key !== "z") return false;
    tell(() => (event.shiftKey ? draft.redo() : draft.undo()));
    return true;
  }
  const arrow = ARROWS[event.key];
  const acts: Record<string, () => void> = {
    h: () => draft.hut(),
    "*": () => draft.hut(),
    q: () => draft.turn(-1),
    e: () => draft.turn(1),
    c: () => draft.copy(),
    v: () => draft.paste(),
    backspace: () => draft.back(),
    pageup: () => draft.select(draft.card - 1),
    pagedown: () => draft.select(draft.card + 1),
    home: () => draft.select(0),
    end: () => draft.select(draft.faces.length - 1),
  };
  if (arrow) tell(() => draft.move(...arrow));
  else if (/^[fwtr]$/.test(key)) enter((key.toUpperCase() + (event.shiftKey && key !== "w" ? "*" : "")) as KnownZone);
  else if (Object.hasOwn(acts, key)) tell(acts[key]!);
  else return false;
  return true;
}
