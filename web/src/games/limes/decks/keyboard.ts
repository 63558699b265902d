/** Keyboard control of the deck editor: letters enter landscapes, `*` or H adds a hut. */
import { isShortcut } from "$lib/input/shortcuts";
import type { DeckDraft } from "./deckDraft.svelte";
import type { KnownZone } from "./faces";

const ARROWS: Record<string, [number, number]> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

interface EditorActions {
  enter: (zone: KnownZone) => void;
  /** Change the deck and announce the selected card. */
  changeCard: (change: () => void) => void;
}

/** Handle a key; return true if it is a key of the editor. */
export function handleDeckKey(event: KeyboardEvent, draft: DeckDraft, { enter, changeCard }: EditorActions): boolean {
  if (!isShortcut(event)) return false;
  const key = event.key.toLowerCase();
  if (event.ctrlKey) {
    if (key !== "z") return false;
    changeCard(() => (event.shiftKey ? draft.redo() : draft.undo()));
    return true;
  }
  const arrow = ARROWS[event.key];
  const changes: Record<string, () => void> = {
    h: () => draft.toggleHut(),
    "*": () => draft.toggleHut(),
    q: () => draft.rotate(-1),
    e: () => draft.rotate(1),
    c: () => draft.copy(),
    v: () => draft.paste(),
    backspace: () => draft.eraseLast(),
    pageup: () => draft.select(draft.card - 1),
    pagedown: () => draft.select(draft.card + 1),
    home: () => draft.select(0),
    end: () => draft.select(draft.faces.length - 1),
  };
  if (arrow) changeCard(() => draft.move(...arrow));
  else if (/^[fwtr]$/.test(key)) enter((key.toUpperCase() + (event.shiftKey && key !== "w" ? "*" : "")) as KnownZone);
  else if (Object.hasOwn(changes, key)) changeCard(changes[key]!);
  else return false;
  return true;
}
