import { seatName } from "$lib/names";
import type { MatchUi } from "../gameUi";
import { player } from "./palette";
import { continued } from "./tryout";
import { briefTurn, turnWords } from "./turnWords";
import type { LimesView } from "./wire";
import { endWords, placeWords } from "./words";

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
