/** Drag and drop for pens, fingers and mice alike, beside clicks. Places to drop on say so by `data-cell` or `data-offer`. */
import type { Attachment } from "svelte/attachments";

interface Dragging {
  /** Whether there is something to drag now; called when the pointer goes down. */
  may: () => boolean;
  begin?: () => void;
  over?: (place: string | null) => void;
  drop: (place: string | null) => void;
  attribute: "cell" | "offer";
  /** What follows the pointer, as markup; a copy of what is dragged if not given. */
  shadow?: () => string;
}

const START = 7;

export function drag({ may, begin, over, drop, attribute, shadow: drawn }: Dragging): Attachment<HTMLElement> {
  return (node) => {
    let from: { x: number; y: number; id: number } | null = null;
    let shadow: HTMLElement | null = null;
    let last: string | null = null;

    const placeAt = (x: number, y: number): string | null => {
      const found = document
        .elementsFromPoint(x, y)
        .map((element) => element.closest<HTMLElement>(`[data-${attribute}]`))
        .find((element) => element);
      return found?.dataset[attribute] ?? null;
    };
    const down = (event: PointerEvent) => {
      if (event.button || !may()) return;
      from = { x: event.clientX, y: event.clientY, id: event.pointerId };
      addEventListener("selectstart", prevent);
      addEventListener("pointermove", move);
      addEventListener("pointerup", up);
      addEventListener("pointercancel", stop);
    };
    const move = (event: PointerEvent) => {
      if (!from || event.pointerId !== from.id) return;
      const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
      if (!shadow) {
        if (Math.hypot(dx, dy) < START) return;
        begin?.();
        const box = node.getBoundingClientRect();
        if (drawn) {
          shadow = document.createElement("div");
          shadow.innerHTML = drawn();
        } else shadow = node.cloneNode(true) as HTMLElement;
        shadow.inert = true;
        shadow.classList.add("dragged");
        Object.assign(shadow.style, {
          left: `${box.left}px`,
          top: `${box.top}px`,
          width: `${box.width}px`,
          height: `${box.height}px`,
        });
        document.body.append(shadow);
      }
      shadow.style.transform = `translate(${dx}px, ${dy}px)`;
      const place = placeAt(event.clientX, event.clientY);
      if (place !== last) over?.((last = place));
    };
    const up = (event: PointerEvent) => {
      if (event.pointerId !== from?.id) return;
      const dragged = shadow !== null;
      const place = dragged ? placeAt(event.clientX, event.clientY) : null;
      stop();
      if (!dragged) return;
      swallowClick();
      drop(place);
    };
    const stop = () => {
      removeEventListener("selectstart", prevent);
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", up);
      removeEventListener("pointercancel", stop);
      shadow?.remove();
      shadow = from = null;
      if (last !== null) over?.((last = null));
    };
    node.addEventListener("pointerdown", down);
    return () => {
      stop();
      node.removeEventListener("pointerdown", down);
    };
  };
}

/** Whoever carries something over words does not mean to mark them. */
const prevent = (event: Event) => event.preventDefault();

/** The click that ends a drag is no click. It comes before the pointer goes down again, or not at all; a timer may come too late. */
function swallowClick(): void {
  const done = () => {
    removeEventListener("click", swallow, { capture: true });
    removeEventListener("pointerdown", done, { capture: true });
  };
  const swallow = (event: MouseEvent) => {
    done();
    if (event.detail === 0) return; // pressed by a key
    event.stopPropagation();
    event.preventDefault();
  };
  addEventListener("click", swallow, { capture: true });
  addEventListener("pointerdown", done, { capture: true });
}
