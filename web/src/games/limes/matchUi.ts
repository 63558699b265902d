import { seatName } from "$lib/i18n/playerNames";
import type { MatchUi } from "../gameUi";
import { playerStyle } from "./draw/palette";
import { appendTurn } from "./learn/continueRecord";
import { shortTurnText, turnText } from "./turnText";
import type { LimesView } from "./types";
import { outcomeText, zoneLocationText } from "./text";

const matchUi: MatchUi = {
  scores: (state) => (state.view as LimesView).displays.map((display) => display?.total ?? 0),
  seatMark: (seat) => playerStyle(seat),
  stepSounds: () => ["card"],
  turnText,
  shortTurnText,
  locationText: (location) => (/^\w\d\.\w\w$/.test(location) ? zoneLocationText(location) : location),
  outcomeText: ({ view, seats }) => outcomeText(view as LimesView, seats.map(seatName)),
  appendTurn: (record, turn, player) => appendTurn(record, turn, player),
};

export default matchUi;
