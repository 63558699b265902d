import type { LimesView } from "$lib/api";
import { seatName } from "$lib/names";
import type { GameUi } from "..";
import { player } from "./palette";
import { turnWords } from "./turnWords";
import { endWords } from "./words";

export const limes: GameUi = {
  table: () => import("./LimesTable.svelte"),
  replay: () => import("./LimesReplay.svelte"),
  displays: true,
  example: () => import("./LimesExample.svelte"),
  picture: () => import("./Picture.svelte"),
  scores: (state) => (state.view as LimesView).displays.map((display) => display?.total ?? 0),
  seat: (seat) => player(seat),
  turnWords,
  outcome: ({ view, seats }) => endWords(view as LimesView, seats.map(seatName)),
};
