import { t, translateIfKnown, withMessages } from "$lib/i18n/messages.svelte";
import type { GameUi } from "../gameUi";

export const limitUi: GameUi = {
  summary: () => t("limit.summary"),
  optionText: ({ name }) => ({ title: translateIfKnown(`limit.option.${name}`) ?? name, help: "" }),
  pitch: { author: "Cameron Browne", text: () => t("limit.pitch") },
  slideshow: () => import("./start/Slideshow.svelte"),
  matchUi: () => withMessages(["limit", "match", "review"], () => import("./matchUi")),
  matchView: () => withMessages(["limit", "match", "review"], () => import("./match/LimitMatch.svelte")),
  replayView: () => withMessages(["limit", "match", "review"], () => import("./match/LimitReplay.svelte")),
  finale: () => withMessages(["match"], () => import("./learn/LimitFinale.svelte")),
  companion: () => withMessages(["companion", "limit", "match", "review"], () => import("./companion/LimitCompanion.svelte")),
  legend: () => withMessages(["limit"], () => import("./learn/LimitLegend.svelte")),
  example: () => withMessages(["limit"], () => import("./learn/LimitExample.svelte")),
};
