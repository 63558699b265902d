/** Begin a match and go to it. */
import { ask, type Created, type NewMatch } from "./api";
import { keepKeys } from "./api/keys";
import { go } from "./router.svelte";

export async function begin(wanted: NewMatch): Promise<void> {
  const { keys, state } = await ask<Created>("/matches", { body: wanted });
  keepKeys(state.match, keys);
  go(`/m/${state.match}`);
}
