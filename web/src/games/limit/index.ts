import type { LimitView } from "./wire";
import { list, t, translation } from "$lib/messages.svelte";
import { person, seatName } from "$lib/names";
import type { GameUi } from "../gameUi";
import { briefTurn, turnWords } from "./turnWords";

const SEATS = [
  { colour: "#a81f1a", sign: "●" },
  { colour: "#1c4e8c", sign: "▬" },
  { colour: "#9a6a00", sign: "▲" },
];

export const limit: GameUi = {
  summary: () => t("limit.summary"),
  option: ({ name }) => ({ title: translation(`limit.option.${name}`) ?? name, help: "" }),
  pitch: { author: "Cameron Browne", words: () => t("limit.pitch") },
  picture: () => import("./Picture.svelte"),
  table: () => import("./LimitTable.svelte"),
  replay: () => import("./LimitReplay.svelte"),
  continued: (record, turn) => ({ ...record, turns: [...(record.turns as string[]), turn] }),
  finale: () => import("./LimitFinale.svelte"),
  companion: () => import("./companion/LimitCompanion.svelte"),
  legend: () => import("./LimitLegend.svelte"),
  example: () => import("./LimitExample.svelte"),
  scores: (state) => (state.view as LimitView).pawns.map((pawns) => pawns.length),
  sounds: ({ text }) => [...(text.includes("-") ? (["pawn"] as const) : []), ...(text.includes("x") ? (["sink"] as const) : [])],
  turnWords,
  briefTurn,
  seat: (seat) => SEATS[seat % SEATS.length]!,
  outcome: (state) => {
    const end = (state.view as LimitView).end;
    if (!end) return "";
    const names = list(end.winners.map((seat) => seatName(state.seats[seat], seat)));
    if (end.how === "all-captured" && end.winners.length > 1) return t("limit.end.all-captured.shared", { names });
    return t(`limit.end.${end.how}`, { names, you: person(names) });
  },
};
