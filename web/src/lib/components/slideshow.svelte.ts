/** A loop over frames that pauses while the page is hidden. With reduced motion it stays at the last frame. */
import { prefersReducedMotion } from "svelte/motion";

const FRAME_MILLISECONDS = 2200;

/** Start a loop, during the initialization of a component. */
export function createSlideshow(frameCount: number): { readonly index: number } {
  let index = $state(frameCount - 1);
  $effect(() => {
    if (prefersReducedMotion.current) return;
    const timer = setInterval(
      () => document.visibilityState === "visible" && (index = (index + 1) % frameCount),
      FRAME_MILLISECONDS,
    );
    return () => clearInterval(timer);
  });
  return {
    get index() {
      return index;
    },
  };
}
