/** Something that goes on by itself, one moment after another, as long as it is looked at; its end for those who want no motion. */
import { prefersReducedMotion } from "svelte/motion";

const PACE = 2200;

/** The number of the moment to show; called while a component is made. */
export function createSlideshow(moments: number): { readonly at: number } {
  let at = $state(moments - 1);
  $effect(() => {
    if (prefersReducedMotion.current) return;
    const timer = setInterval(() => document.visibilityState === "visible" && (at = (at + 1) % moments), PACE);
    return () => clearInterval(timer);
  });
  return {
    get at() {
      return at;
    },
  };
}
