/** For games that bring nothing of their own to the page: their drawing and a list of turns, with the words the server has for them. */
import { withMessages } from "$lib/i18n/messages.svelte";
import type { GameUi } from "../gameUi";

export const genericUi: GameUi = {
  summary: ({ summary }) => summary,
  option: ({ name, help }) => ({ title: name, help }),
  matchUi: () => withMessages(["generic"], () => import("./matchUi")),
  matchView: () => withMessages(["generic", "match"], () => import("./GenericMatch.svelte")),
  replayView: () => withMessages(["generic"], () => import("./GenericReplay.svelte")),
};
