/** Descriptions of the turns of a review, in the context of the frames of their replay. */
import type { Replay } from "$lib/api";
import type { ReviewedTurn } from "$lib/review/reviewStream";
import { gainFromReasons, type ReviewTurnText } from "$lib/review/text";
import type { MatchUi, TurnContext } from "../../games/gameUi";

export function reviewTurnText(ui: MatchUi, frames: Replay["frames"]): ReviewTurnText {
  const context = ({ player, step }: ReviewedTurn, gain: number | undefined): TurnContext => ({
    player,
    views: frames.slice(0, step + 1).map(({ view }) => view),
    gain,
  });
  /** Return the immediate gain of a played turn, in a game with points. */
  const playedGain = ({ player, step }: ReviewedTurn): number | undefined => {
    const [before, after] = [frames[step]?.scores[player], frames[step + 1]?.scores[player]];
    return before === undefined || after === undefined ? undefined : after - before;
  };
  return {
    played: (turn) => ui.turnText(turn.played, context(turn, playedGain(turn))),
    best: (turn) => ui.turnText(turn.best, context(turn, gainFromReasons(turn.reasons, turn.best))),
    brief: (turn) => ui.shortTurnText(turn.played, context(turn, playedGain(turn))),
  };
}
