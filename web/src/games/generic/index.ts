/** The interface of a game without a folder of its own: the server's drawing, a list of legal turns, and the server's texts. */
import { withMessages } from "$lib/i18n/messages.svelte";
import type { GameUi } from "../gameUi";

export const genericUi: GameUi = {
  summary: ({ summary }) => summary,
  optionText: ({ name, help }) => ({ title: name, help }),
  matchUi: () => withMessages(["generic"], () => import("./matchUi")),
  matchView: () => withMessages(["generic", "match"], () => import("./GenericMatch.svelte")),
  replayView: () => withMessages(["generic"], () => import("./GenericReplay.svelte")),
};
