import { t, translation, withWords } from "$lib/i18n/messages.svelte";
import type { GameUi } from "../gameUi";

export const limes: GameUi = {
  summary: () => t("limes.summary"),
  pitch: { author: "Martyn F", words: () => t("limes.pitch") },
  option: ({ name, help }) => ({
    title: translation(`limes.option.${name}`) ?? name,
    help: translation(`limes.option-help.${name}`) ?? help,
  }),
  editors: { deck: () => withWords(["decks"], () => import("./decks/DeckSelect.svelte")) },
  decks: () => withWords(["decks", "limes", "table"], () => import("./decks/DecksPage.svelte")),
  match: () => withWords(["limes", "review", "table"], () => import("./matchUi")),
  table: () => withWords(["limes", "review", "table"], () => import("./match/LimesMatch.svelte")),
  replay: () => withWords(["limes", "review", "table"], () => import("./match/LimesReplay.svelte")),
  displays: true,
  example: () => withWords(["limes"], () => import("./learn/LimesExample.svelte")),
  finale: () => withWords(["limes", "review", "table"], () => import("./learn/LimesFinale.svelte")),
  companion: () => withWords(["companion", "limes"], () => import("./companion/LimesCompanion.svelte")),
  legend: () => withWords(["limes"], () => import("./learn/LimesLegend.svelte")),
  picture: () => import("./start/Slideshow.svelte"),
};
