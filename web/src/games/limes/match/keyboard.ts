/** Keyboard control of a Limes match. */
import type { KeyEffect } from "$lib/match/turnController.svelte";
import type { LimesDraft } from "./draft.svelte";

const ARROWS: Record<string, [number, number]> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

/** Handle the keys that only Limes has; `late` is true if the key was pressed while the last turn was being saved. */
export function handleLimesKey(event: KeyboardEvent, draft: LimesDraft, late: boolean): KeyEffect {
  const arrow = ARROWS[event.key];
  if (arrow) {
    if (draft.stage === "worker") moveFocus(arrow);
    else draft.moveCard(...arrow);
  } else if (event.key === "Enter") {
    // Enter activates the focused element instead, unless that is the main button and it is disabled.
    const focusable = late ? "button:not(.main), a, summary" : "button:not(.main[aria-disabled=true]), a, summary";
    if (event.repeat || (event.target as Element).closest(focusable)) return false;
    if (draft.stage === "place") draft.placeCardAnywhere();
    else if (draft.stage === "adjust") draft.confirm();
    else return { end: draft.turn };
  } else if (/^[1-4]$/.test(event.key)) draft.chooseQuarter(Number(event.key) - 1);
  else {
    switch (event.key.toLowerCase()) {
      case "r":
        draft.rotate(event.shiftKey ? -1 : 1);
        break;
      case "w":
        draft.pickNextWorker();
        break;
      case "n":
        draft.chooseNoWorker();
        break;
      default:
        return false;
    }
  }
  return true;
}

/** Move the focus to the nearest worker option in a direction. */
function moveFocus([dx, dy]: [number, number]): void {
  const options = [...document.querySelectorAll<HTMLElement>("[data-action]")];
  const focused = document.activeElement?.closest<HTMLElement>("[data-action]");
  if (!focused) {
    options[0]?.focus();
    return;
  }
  const center = (element: HTMLElement) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return { x: left + width / 2, y: top + height / 2 };
  };
  const start = center(focused);
  const candidates = options
    .map((element) => {
      const { x, y } = center(element);
      const along = (x - start.x) * dx + (y - start.y) * dy;
      return { element, along, aside: Math.abs((x - start.x) * dy) + Math.abs((y - start.y) * dx) };
    })
    .filter(({ along }) => along > 4)
    .sort((a, b) => a.along + 2 * a.aside - (b.along + 2 * b.aside));
  candidates[0]?.element.focus();
}
