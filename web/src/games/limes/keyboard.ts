/** Playing by keyboard alone. What each key does is written beside the buttons. */
import type { ActionQueue } from "$lib/actionQueue";
import type { Draft } from "./draft.svelte";

const ARROWS: Record<string, [number, number]> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

/** Listens for keys as long as there is a turn in the making. While one is being saved, keys wait for the next one. */
export function keyed(draft: () => Draft | null, actions: ActionQueue, end: (text: string | null) => Promise<boolean>) {
  /** What the key does; a promise if that takes time. */
  function press(event: KeyboardEvent, late: boolean): unknown {
    const turn = draft();
    const target = event.target as HTMLElement;
    if (!turn) return;
    const arrow = ARROWS[event.key];
    if (arrow) {
      if (turn.stage === "worker") step(arrow);
      else turn.carry(...arrow);
    } else if (event.key === "Enter") {
      // A button that has the focus is pressed instead, unless it is the main one and could not do anything.
      if (target.closest(late ? "button:not(.main), a, summary" : "button:not(.main[aria-disabled=true]), a, summary")) return;
      if (event.repeat) return;
      event.preventDefault();
      if (turn.stage === "lay") turn.layFirst();
      else if (turn.stage === "carry") turn.confirm();
      else if (turn.action !== null) return end(turn.text);
    } else if (/^[1-4]$/.test(event.key)) turn.chooseQuarter(Number(event.key) - 1);
    else {
      switch (event.key.toLowerCase()) {
        case "r":
          turn.turn(event.shiftKey ? -1 : 1);
          break;
        case "w":
          turn.nextWorker();
          break;
        case "n":
          event.preventDefault();
          return turn.stage === "worker" ? end(turn.laid) : undefined;
        case "e":
          event.preventDefault();
          return turn.stage === "worker" && turn.action !== null ? end(turn.text) : undefined;
        case "u":
        case "z":
        case "escape":
        case "backspace":
          turn.undo();
          break;
        default:
          return;
      }
    }
    event.preventDefault();
  }

  return (event: KeyboardEvent): void => {
    const target = event.target as HTMLElement;
    if (event.altKey || event.metaKey || target.closest("input, select, textarea, [role=dialog]")) return;
    if (event.ctrlKey && event.key.toLowerCase() !== "z") return;
    const late = actions.busy;
    if (late && event.key in ARROWS) event.preventDefault();
    if (!(late && event.repeat)) void actions.run(() => press(event, late));
  };
}

/** Move the focus to the nearest zone on offer. */
function step([dx, dy]: [number, number]): void {
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
