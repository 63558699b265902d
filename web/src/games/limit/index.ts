import { t, translation, withWords } from "$lib/messages.svelte";
import type { GameUi } from "../gameUi";

export const limit: GameUi = {
  summary: () => t("limit.summary"),
  option: ({ name }) => ({ title: translation(`limit.option.${name}`) ?? name, help: "" }),
  pitch: { author: "Cameron Browne", words: () => t("limit.pitch") },
  picture: () => import("./Picture.svelte"),
  match: () => withWords(["limit", "review", "table"], () => import("./match")),
  table: () => withWords(["limit", "review", "table"], () => import("./LimitTable.svelte")),
  replay: () => withWords(["limit", "review", "table"], () => import("./LimitReplay.svelte")),
  finale: () => withWords(["table"], () => import("./LimitFinale.svelte")),
  companion: () => withWords(["companion", "limit", "review", "table"], () => import("./companion/LimitCompanion.svelte")),
  legend: () => withWords(["limit"], () => import("./LimitLegend.svelte")),
  example: () => withWords(["limit"], () => import("./LimitExample.svelte")),
};
