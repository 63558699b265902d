/** The moments of a replay that its slider stops at: the start, and the end of each round or turn. */
import type { Replay } from "$lib/api";

export interface Moment {
  /** The number of complete rounds or turns. */
  progress: number;
  /** The index of the frame that shows it. */
  frame: number;
  scores: number[];
}

export function findMoments(replay: Replay): Moment[] {
  const moments: Moment[] = [];
  replay.frames.forEach(({ progress, scores }, frame) => {
    if (moments.at(-1)?.progress !== progress) moments.push({ progress, frame, scores });
  });
  // The start shows the setup by chance, such as a layout.
  const firstTurn = replay.frames.findIndex(({ step }) => step && step.player !== null);
  if (moments[0]) moments[0].frame = (firstTurn < 0 ? replay.frames.length : firstTurn) - 1;
  // If the game stopped within a round, the last moment shows its end.
  const last = replay.frames.length - 1;
  const end = replay.frames[last];
  if (end && end.step?.player !== null) moments.at(-1)!.frame = last;
  return moments;
}

/** Return the index of the moment that a URL hash such as `#12` names, or of the next one; null if it names none. */
export function momentIndexFromHash(moments: readonly Moment[], hash: string): number | null {
  if (!/^#\d{1,4}$/.test(hash)) return null;
  const progress = Number(hash.slice(1));
  const index = moments.findIndex((moment) => moment.progress >= progress);
  return index < 0 ? moments.length - 1 : index;
}
