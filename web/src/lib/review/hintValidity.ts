/** The validity of a hint while a match goes on. */
import type { StepState } from "$lib/api";

/** Return true if since the request only other players have played turns, in the same simultaneous round. */
export function isHintValid(stepsAtRequest: StepState[], steps: StepState[], seat: number): boolean {
  return (
    stepsAtRequest.every((step, index) => step.player === steps[index]?.player && step.text === steps[index]?.text) &&
    steps.slice(stepsAtRequest.length).every(({ player }) => player !== null && player !== seat)
  );
}
