import type { LimesView } from "$lib/api";
import { list, t } from "$lib/messages.svelte";
import type { GameUi } from "..";
import { player } from "./palette";

export const limes: GameUi = {
  table: () => import("./LimesTable.svelte"),
  scores: (state) => (state.view as LimesView).displays.map((display) => display?.total ?? 0),
  seat: (seat) => player(seat),
  outcome: (state) => {
    const end = (state.view as LimesView).end;
    if (!end) return "";
    const points = Math.max(...end.totals);
    const names = list(end.winners.map((seat) => state.seats[seat]?.name ?? ""));
    if (end.how === "alone") return t("limes.end.alone", { n: points });
    return t(`limes.end.${end.how}`, { names, n: points });
  },
};
