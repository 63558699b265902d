import { formatList, t } from "$lib/i18n/messages.svelte";
import { grammaticalPerson, seatName } from "$lib/i18n/playerNames";
import type { MatchUi } from "../gameUi";
import { briefTurn, turnWords } from "./turnText";
import type { LimitView } from "./types";

const SEATS = [
  { colour: "#a81f1a", sign: "●" },
  { colour: "#1c4e8c", sign: "▬" },
  { colour: "#9a6a00", sign: "▲" },
];

const match: MatchUi = {
  scores: (state) => (state.view as LimitView).pawns.map((pawns) => pawns.length),
  seat: (seat) => SEATS[seat % SEATS.length]!,
  sounds: ({ text }) => [...(text.includes("-") ? (["pawn"] as const) : []), ...(text.includes("x") ? (["sink"] as const) : [])],
  turnWords,
  briefTurn,
  outcome: (state) => {
    const end = (state.view as LimitView).end;
    if (!end) return "";
    const names = formatList(end.winners.map((seat) => seatName(state.seats[seat], seat)));
    if (end.how === "all-captured" && end.winners.length > 1) return t("limit.end.all-captured.shared", { names });
    return t(`limit.end.${end.how}`, { names, you: grammaticalPerson(names) });
  },
  continued: (record, turn) => ({ ...record, turns: [...(record.turns as string[]), turn] }),
};

export default match;
