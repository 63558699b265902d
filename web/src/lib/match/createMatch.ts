/** Begin a match and go to it. */
import { ask, type Created, type NewMatch, type NewSeat } from "$lib/api";
import { keepKeys } from "$lib/api/seatTokens";
import { t } from "$lib/i18n/messages.svelte";
import { storedName } from "$lib/storage/playerName";
import { go } from "$lib/app/router.svelte";

/** What a match is where nobody says otherwise. */
const USUAL = { options: {}, hidden: false, spectators: true, shuffle: false } as const;

export async function begin(wanted: Pick<NewMatch, "game" | "seats"> & Partial<NewMatch>): Promise<void> {
  const { keys, state } = await ask<Created>("/matches", { body: { ...USUAL, ...wanted } satisfies NewMatch });
  keepKeys(state.match, keys);
  go(`/m/${state.match}`);
}

/** The seat of whoever is at this browser. */
export function ownSeat(): NewSeat {
  return { kind: "person", name: storedName() || t("seat.you"), bot: null };
}
