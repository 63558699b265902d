/** For games that bring nothing of their own to the page: their drawing and a list of turns, with the words the server has for them. */
import { withWords } from "$lib/messages.svelte";
import type { GameUi } from "../gameUi";

export const plain: GameUi = {
  summary: ({ summary }) => summary,
  option: ({ name, help }) => ({ title: name, help }),
  match: () => withWords(["plain"], () => import("./match")),
  table: () => withWords(["plain", "table"], () => import("./PlainTable.svelte")),
  replay: () => withWords(["plain"], () => import("./PlainReplay.svelte")),
};
