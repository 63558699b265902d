import { t, translation, withWords } from "$lib/i18n/messages.svelte";
import type { GameUi } from "../gameUi";

export const limit: GameUi = {
  summary: () => t("limit.summary"),
  option: ({ name }) => ({ title: translation(`limit.option.${name}`) ?? name, help: "" }),
  pitch: { author: "Cameron Browne", words: () => t("limit.pitch") },
  picture: () => import("./start/Slideshow.svelte"),
  match: () => withWords(["limit", "review", "table"], () => import("./matchUi")),
  table: () => withWords(["limit", "review", "table"], () => import("./match/LimitMatch.svelte")),
  replay: () => withWords(["limit", "review", "table"], () => import("./match/LimitReplay.svelte")),
  finale: () => withWords(["table"], () => import("./learn/LimitFinale.svelte")),
  companion: () => withWords(["companion", "limit", "review", "table"], () => import("./companion/LimitCompanion.svelte")),
  legend: () => withWords(["limit"], () => import("./learn/LimitLegend.svelte")),
  example: () => withWords(["limit"], () => import("./learn/LimitExample.svelte")),
};
