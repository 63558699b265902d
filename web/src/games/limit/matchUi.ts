import { formatList, t } from "$lib/i18n/messages.svelte";
import { grammaticalPerson, seatName } from "$lib/i18n/playerNames";
import type { MatchUi } from "../gameUi";
import { shortTurnText, turnText } from "./turnText";
import type { LimitView } from "./types";

const SEAT_MARKS = [
  { color: "#a81f1a", sign: "●" },
  { color: "#1c4e8c", sign: "▬" },
  { color: "#9a6a00", sign: "▲" },
];

const matchUi: MatchUi = {
  scores: (state) => (state.view as LimitView).pawns.map((pawns) => pawns.length),
  seatMark: (seat) => SEAT_MARKS[seat % SEAT_MARKS.length]!,
  stepSounds: ({ text }) => [
    ...(text.includes("-") ? (["pawn"] as const) : []),
    ...(text.includes("x") ? (["sink"] as const) : []),
  ],
  turnText,
  shortTurnText,
  outcomeText: (state) => {
    const end = (state.view as LimitView).end;
    if (!end) return "";
    const names = formatList(end.winners.map((seat) => seatName(state.seats[seat], seat)));
    if (end.kind === "all-captured" && end.winners.length > 1) return t("limit.end.all-captured.shared", { names });
    return t(`limit.end.${end.kind}`, { names, you: grammaticalPerson(names) });
  },
  appendTurn: (record, turn) => ({ ...record, turns: [...(record.turns as string[]), turn] }),
};

export default matchUi;
