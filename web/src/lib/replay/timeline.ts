// The moments of a replay that a slider stops at: the start, and whenever a round, or a turn, was complete.

import type { Replay } from "$lib/api";

export interface Moment {
  /** How many rounds, or turns, are complete. */
  progress: number;
  /** The frame that shows it. */
  frame: number;
  scores: number[];
}

export function findMoments(replay: Replay): Moment[] {
  const found: Moment[] = [];
  replay.frames.forEach(({ progress, scores }, frame) => {
    if (found.at(-1)?.progress !== progress) found.push({ progress, frame, scores });
  });
  // What chance set up before the first turn, such as a board, belongs to the start.
  const firstTurn = replay.frames.findIndex(({ step }) => step && step.player !== null);
  if (found[0]) found[0].frame = (firstTurn < 0 ? replay.frames.length : firstTurn) - 1;
  // A game that was left in the middle of a round ends where it was left.
  const last = replay.frames.length - 1;
  const end = replay.frames[last];
  if (end && end.step?.player !== null && found.at(-1)?.frame !== last) found.at(-1)!.frame = last;
  return found;
}

/** The index of the moment that an address names, `#12`: the nearest there is. */
export function momentIndexFromHash(found: readonly Moment[], hash: string): number | null {
  if (!/^#\d{1,4}$/.test(hash)) return null;
  const progress = Number(hash.slice(1));
  const index = found.findIndex((moment) => moment.progress >= progress);
  return index < 0 ? found.length - 1 : index;
}
