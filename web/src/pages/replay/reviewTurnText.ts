/** The turns of a review in the words of their game, which come from the frames that they were played in. */
import type { Replay } from "$lib/api";
import type { ReviewedTurn } from "$lib/review/reviewStream";
import { gainFromReasons, type ReviewTurnText } from "$lib/review/text";
import type { MatchUi, TurnContext } from "../../games/gameUi";

export function reviewTurnText(ui: MatchUi, frames: Replay["frames"]): ReviewTurnText {
  const setting = ({ player, step }: ReviewedTurn, gain: number | undefined): TurnContext => ({
    player,
    views: frames.slice(0, step + 1).map(({ view }) => view),
    gain,
  });
  /** What the turn played brought at once, in a game with points. */
  const brought = ({ player, step }: ReviewedTurn): number | undefined => {
    const [before, after] = [frames[step]?.scores[player], frames[step + 1]?.scores[player]];
    return before === undefined || after === undefined ? undefined : after - before;
  };
  return {
    played: (turn) => ui.turnText(turn.played, setting(turn, brought(turn))),
    best: (turn) => ui.turnText(turn.best, setting(turn, gainFromReasons(turn.reasons, turn.best))),
    brief: (turn) => ui.shortTurnText(turn.played, setting(turn, brought(turn))),
  };
}
