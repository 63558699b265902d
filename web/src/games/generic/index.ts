/** For games that bring nothing of their own to the page: their drawing and a list of turns, with the words the server has for them. */
import { withWords } from "$lib/i18n/messages.svelte";
import type { GameUi } from "../gameUi";

export const plain: GameUi = {
  summary: ({ summary }) => summary,
  option: ({ name, help }) => ({ title: name, help }),
  match: () => withWords(["plain"], () => import("./matchUi")),
  table: () => withWords(["plain", "table"], () => import("./GenericMatch.svelte")),
  replay: () => withWords(["plain"], () => import("./GenericReplay.svelte")),
};
