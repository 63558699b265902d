import type { LimesView } from "./wire";
import { t, translation } from "$lib/messages.svelte";
import { seatName } from "$lib/names";
import type { GameUi } from "../gameUi";
import { player } from "./palette";
import { continued } from "./tryout";
import { briefTurn, turnWords } from "./turnWords";
import { endWords, placeWords } from "./words";

export const limes: GameUi = {
  summary: () => t("limes.summary"),
  pitch: { author: "Martyn F", words: () => t("limes.pitch") },
  option: ({ name, help }) => ({
    title: translation(`limes.option.${name}`) ?? name,
    help: translation(`limes.option-help.${name}`) ?? help,
  }),
  editors: { deck: () => import("./decks/DeckChoice.svelte") },
  decks: () => import("./decks/DecksPage.svelte"),
  table: () => import("./LimesTable.svelte"),
  replay: () => import("./LimesReplay.svelte"),
  displays: true,
  example: () => import("./LimesExample.svelte"),
  continued: (record, turn, player) => continued(record, turn, player),
  finale: () => import("./LimesFinale.svelte"),
  companion: () => import("./companion/LimesCompanion.svelte"),
  legend: () => import("./LimesLegend.svelte"),
  picture: () => import("./Picture.svelte"),
  scores: (state) => (state.view as LimesView).displays.map((display) => display?.total ?? 0),
  seat: (seat) => player(seat),
  sounds: () => ["card"],
  turnWords,
  briefTurn,
  placeWords: (place) => (/^\w\d\.\w\w$/.test(place) ? placeWords(place) : place),
  outcome: ({ view, seats }) => endWords(view as LimesView, seats.map(seatName)),
};
