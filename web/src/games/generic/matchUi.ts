import { formatList, t } from "$lib/i18n/messages.svelte";
import { grammaticalPerson, seatName, type SeatMark } from "$lib/i18n/playerNames";
import type { MatchUi } from "../gameUi";

const COLORS = ["#a81f1a", "#1c4e8c", "#2a6e38", "#6b3fa0", "#b4500c", "#0d7377", "#24211f", "#74451d"];

function seatMark(seat: number): SeatMark {
  return { color: COLORS[seat % COLORS.length]!, sign: String(seat + 1) };
}

const matchUi: MatchUi = {
  scores: () => [],
  seatMark,
  turnText: (turn) => turn,
  shortTurnText: (turn) => turn,
  outcomeText: ({ outcome, seats }) => {
    if (!outcome) return "";
    const { length: n } = outcome.winners;
    if (!n) return t("generic.no-winner");
    const names = formatList(outcome.winners.map((seat) => seatName(seats[seat], seat)));
    return n === 1 ? t("games.won", { names, you: grammaticalPerson(names) }) : t("games.shared", { names });
  },
};

export default matchUi;
