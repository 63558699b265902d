import { t, translation, withWords } from "$lib/messages.svelte";
import type { GameUi } from "../gameUi";

export const limes: GameUi = {
  summary: () => t("limes.summary"),
  pitch: { author: "Martyn F", words: () => t("limes.pitch") },
  option: ({ name, help }) => ({
    title: translation(`limes.option.${name}`) ?? name,
    help: translation(`limes.option-help.${name}`) ?? help,
  }),
  editors: { deck: () => withWords(["decks"], () => import("./decks/DeckChoice.svelte")) },
  decks: () => withWords(["decks", "limes", "table"], () => import("./decks/DecksPage.svelte")),
  match: () => withWords(["limes", "review", "table"], () => import("./match")),
  table: () => withWords(["limes", "review", "table"], () => import("./LimesTable.svelte")),
  replay: () => withWords(["limes", "review", "table"], () => import("./LimesReplay.svelte")),
  displays: true,
  example: () => withWords(["limes"], () => import("./LimesExample.svelte")),
  finale: () => withWords(["limes", "review", "table"], () => import("./LimesFinale.svelte")),
  companion: () => withWords(["companion", "limes"], () => import("./companion/LimesCompanion.svelte")),
  legend: () => withWords(["limes"], () => import("./LimesLegend.svelte")),
  picture: () => import("./Picture.svelte"),
};
