import { t, translateIfKnown, withMessages } from "$lib/i18n/messages.svelte";
import type { GameUi } from "../gameUi";

export const limes: GameUi = {
  summary: () => t("limes.summary"),
  pitch: { author: "Martyn F", words: () => t("limes.pitch") },
  option: ({ name, help }) => ({
    title: translateIfKnown(`limes.option.${name}`) ?? name,
    help: translateIfKnown(`limes.option-help.${name}`) ?? help,
  }),
  editors: { deck: () => withMessages(["decks"], () => import("./decks/DeckSelect.svelte")) },
  decks: () => withMessages(["decks", "limes", "match"], () => import("./decks/DecksPage.svelte")),
  match: () => withMessages(["limes", "match", "review"], () => import("./matchUi")),
  table: () => withMessages(["limes", "match", "review"], () => import("./match/LimesMatch.svelte")),
  replay: () => withMessages(["limes", "match", "review"], () => import("./match/LimesReplay.svelte")),
  displays: true,
  example: () => withMessages(["limes"], () => import("./learn/LimesExample.svelte")),
  finale: () => withMessages(["limes", "match", "review"], () => import("./learn/LimesFinale.svelte")),
  companion: () => withMessages(["companion", "limes"], () => import("./companion/LimesCompanion.svelte")),
  legend: () => withMessages(["limes"], () => import("./learn/LimesLegend.svelte")),
  picture: () => import("./start/Slideshow.svelte"),
};
