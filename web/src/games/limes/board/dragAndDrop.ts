/** Drag and drop for pen, touch and mouse, next to clicks. Drop targets have the attribute `data-cell` or `data-action`. */
import type { Attachment } from "svelte/attachments";

interface DragOptions {
  /** Called when the pointer goes down; returns true if the element can be dragged now. */
  canDrag: () => boolean;
  onstart?: () => void;
  /** Called when the pointer enters another target, or none. */
  onover?: (target: string | null) => void;
  /** Called at the end of a drag with the target, or null if there is none under the pointer. */
  ondrop: (target: string | null) => void;
  /** The data attribute of the targets; its value identifies the target. */
  attribute: "cell" | "action";
  /** Markup of the element that follows the pointer; by default a copy of the dragged element. */
  preview?: () => string;
}

/** Distance in pixels from which a movement is a drag and not a click. */
const DRAG_THRESHOLD_PX = 7;

/** Make an element draggable. */
export function drag({ canDrag, onstart, onover, ondrop, attribute, preview: markup }: DragOptions): Attachment<HTMLElement> {
  return (node) => {
    let start: { x: number; y: number; pointerId: number } | null = null;
    let preview: HTMLElement | null = null;
    let lastTarget: string | null = null;

    const targetAt = (x: number, y: number): string | null => {
      const target = document
        .elementsFromPoint(x, y)
        .map((element) => element.closest<HTMLElement>(`[data-${attribute}]`))
        .find((element) => element);
      return target?.dataset[attribute] ?? null;
    };
    const down = (event: PointerEvent) => {
      if (event.button || !canDrag()) return;
      start = { x: event.clientX, y: event.clientY, pointerId: event.pointerId };
      addEventListener("selectstart", prevent);
      addEventListener("pointermove", move);
      addEventListener("pointerup", up);
      addEventListener("pointercancel", stop);
    };
    const move = (event: PointerEvent) => {
      if (!start || event.pointerId !== start.pointerId) return;
      const [dx, dy] = [event.clientX - start.x, event.clientY - start.y];
      if (!preview) {
        if (Math.hypot(dx, dy) < DRAG_THRESHOLD_PX) return;
        onstart?.();
        const box = node.getBoundingClientRect();
        if (markup) {
          preview = document.createElement("div");
          preview.innerHTML = markup();
        } else preview = node.cloneNode(true) as HTMLElement;
        preview.inert = true;
        preview.classList.add("dragged");
        Object.assign(preview.style, {
          left: `${box.left}px`,
          top: `${box.top}px`,
          width: `${box.width}px`,
          height: `${box.height}px`,
        });
        document.body.append(preview);
      }
      preview.style.transform = `translate(${dx}px, ${dy}px)`;
      const target = targetAt(event.clientX, event.clientY);
      if (target !== lastTarget) onover?.((lastTarget = target));
    };
    const up = (event: PointerEvent) => {
      if (event.pointerId !== start?.pointerId) return;
      const dragged = preview !== null;
      const target = dragged ? targetAt(event.clientX, event.clientY) : null;
      stop();
      if (!dragged) return;
      suppressNextClick();
      ondrop(target);
    };
    const stop = () => {
      removeEventListener("selectstart", prevent);
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", up);
      removeEventListener("pointercancel", stop);
      preview?.remove();
      preview = start = null;
      if (lastTarget !== null) onover?.((lastTarget = null));
    };
    node.addEventListener("pointerdown", down);
    return () => {
      stop();
      node.removeEventListener("pointerdown", down);
    };
  };
}

/** Prevents that a drag over text selects it. */
const prevent = (event: Event) => event.preventDefault();

/** Suppress the click at the end of a drag. It comes before the next pointerdown or not at all, so no timer is needed. */
function suppressNextClick(): void {
  const done = () => {
    removeEventListener("click", suppress, { capture: true });
    removeEventListener("pointerdown", done, { capture: true });
  };
  const suppress = (event: MouseEvent) => {
    done();
    if (event.detail === 0) return; // a click by keyboard
    event.stopPropagation();
    event.preventDefault();
  };
  addEventListener("click", suppress, { capture: true });
  addEventListener("pointerdown", done, { capture: true });
}
