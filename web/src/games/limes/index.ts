import { t, translateIfKnown, withMessages } from "$lib/i18n/messages.svelte";
import type { GameUi } from "../gameUi";

export const limesUi: GameUi = {
  summary: () => t("limes.summary"),
  pitch: { author: "Martyn F", text: () => t("limes.pitch") },
  optionText: ({ name, help }) => ({
    title: translateIfKnown(`limes.option.${name}`) ?? name,
    help: translateIfKnown(`limes.option-help.${name}`) ?? help,
  }),
  optionEditors: { deck: () => withMessages(["decks"], () => import("./decks/DeckSelect.svelte")) },
  decks: () => withMessages(["decks", "limes", "match"], () => import("./decks/DecksPage.svelte")),
  matchUi: () => withMessages(["limes", "match", "review"], () => import("./matchUi")),
  matchView: () => withMessages(["limes", "match", "review"], () => import("./match/LimesMatch.svelte")),
  replayView: () => withMessages(["limes", "match", "review"], () => import("./match/LimesReplay.svelte")),
  hasDisplays: true,
  example: () => withMessages(["limes"], () => import("./learn/LimesExample.svelte")),
  finale: () => withMessages(["limes", "match", "review"], () => import("./learn/LimesFinale.svelte")),
  companion: () => withMessages(["companion", "limes"], () => import("./companion/LimesCompanion.svelte")),
  legend: () => withMessages(["limes"], () => import("./learn/LimesLegend.svelte")),
  slideshow: () => import("./start/Slideshow.svelte"),
};
