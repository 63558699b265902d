/** How long a hint holds. */
import type { StepState } from "$lib/api";

/** Whether nothing has happened since it was asked for, but turns that others make at the same time. */
export function isHintValid(asked: StepState[], now: StepState[], seat: number): boolean {
  return (
    asked.every((step, at) => step.player === now[at]?.player && step.text === now[at]?.text) &&
    now.slice(asked.length).every(({ player }) => player !== null && player !== seat)
  );
}
