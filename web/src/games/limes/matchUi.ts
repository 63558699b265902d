import { seatName } from "$lib/i18n/playerNames";
import type { MatchUi } from "../gameUi";
import { player } from "./draw/palette";
import { continued } from "./learn/continueRecord";
import { briefTurn, turnWords } from "./turnText";
import type { LimesView } from "./types";
import { endWords, placeWords } from "./text";

const match: MatchUi = {
  scores: (state) => (state.view as LimesView).displays.map((display) => display?.total ?? 0),
  seat: (seat) => player(seat),
  sounds: () => ["card"],
  turnWords,
  briefTurn,
  placeWords: (place) => (/^\w\d\.\w\w$/.test(place) ? placeWords(place) : place),
  outcome: ({ view, seats }) => endWords(view as LimesView, seats.map(seatName)),
  continued: (record, turn, player) => continued(record, turn, player),
};

export default match;
