import { t, translateIfKnown, withMessages } from "$lib/i18n/messages.svelte";
import type { GameUi } from "../gameUi";

export const limit: GameUi = {
  summary: () => t("limit.summary"),
  option: ({ name }) => ({ title: translateIfKnown(`limit.option.${name}`) ?? name, help: "" }),
  pitch: { author: "Cameron Browne", words: () => t("limit.pitch") },
  picture: () => import("./start/Slideshow.svelte"),
  match: () => withMessages(["limit", "match", "review"], () => import("./matchUi")),
  table: () => withMessages(["limit", "match", "review"], () => import("./match/LimitMatch.svelte")),
  replay: () => withMessages(["limit", "match", "review"], () => import("./match/LimitReplay.svelte")),
  finale: () => withMessages(["match"], () => import("./learn/LimitFinale.svelte")),
  companion: () => withMessages(["companion", "limit", "match", "review"], () => import("./companion/LimitCompanion.svelte")),
  legend: () => withMessages(["limit"], () => import("./learn/LimitLegend.svelte")),
  example: () => withMessages(["limit"], () => import("./learn/LimitExample.svelte")),
};
