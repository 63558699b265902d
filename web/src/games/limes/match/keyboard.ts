/** Playing by keyboard alone. What each key does is written beside the buttons. */
import type { KeyEffect } from "$lib/match/turnController.svelte";
import type { LimesDraft } from "./draft.svelte";

const ARROWS: Record<string, [number, number]> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

/** The keys that only Limes has. */
export function limesKey(event: KeyboardEvent, draft: LimesDraft, late: boolean): KeyEffect {
  const arrow = ARROWS[event.key];
  if (arrow) {
    if (draft.stage === "worker") moveFocus(arrow);
    else draft.carry(...arrow);
  } else if (event.key === "Enter") {
    // A button that has the focus is pressed instead, unless it is the main one and could not do anything.
    const pressed = late ? "button:not(.main), a, summary" : "button:not(.main[aria-disabled=true]), a, summary";
    if (event.repeat || (event.target as Element).closest(pressed)) return false;
    if (draft.stage === "lay") draft.layFirst();
    else if (draft.stage === "carry") draft.confirm();
    else return { end: draft.turn };
  } else if (/^[1-4]$/.test(event.key)) draft.chooseQuarter(Number(event.key) - 1);
  else {
    switch (event.key.toLowerCase()) {
      case "r":
        draft.rotate(event.shiftKey ? -1 : 1);
        break;
      case "w":
        draft.nextWorker();
        break;
      case "n":
        draft.chooseNone();
        break;
      default:
        return false;
    }
  }
  return true;
}

/** Move the focus to the nearest zone on offer. */
function moveFocus([dx, dy]: [number, number]): void {
  const offers = [...document.querySelectorAll<HTMLElement>("[data-offer]")];
  const from = document.activeElement?.closest<HTMLElement>("[data-offer]");
  if (!from) {
    offers[0]?.focus();
    return;
  }
  const middle = (element: HTMLElement) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return { x: left + width / 2, y: top + height / 2 };
  };
  const here = middle(from);
  const ahead = offers
    .map((element) => {
      const { x, y } = middle(element);
      const along = (x - here.x) * dx + (y - here.y) * dy;
      return { element, along, aside: Math.abs((x - here.x) * dy) + Math.abs((y - here.y) * dx) };
    })
    .filter(({ along }) => along > 4)
    .sort((a, b) => a.along + 2 * a.aside - (b.along + 2 * b.aside));
  ahead[0]?.element.focus();
}
