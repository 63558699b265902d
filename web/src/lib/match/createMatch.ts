/** Creation of matches. */
import { requestJson, type JoinedMatch, type NewMatch, type NewSeat } from "$lib/api";
import { saveSeatTokens } from "$lib/api/seatTokens";
import { t } from "$lib/i18n/messages.svelte";
import { loadPlayerName } from "$lib/storage/playerName";
import { navigate } from "$lib/app/router.svelte";

const DEFAULT_SETTINGS = { options: {}, hidden_turns: false, allow_spectators: true, shuffle_seats: false } as const;

/** Create a match, save its seat tokens, and open it. */
export async function createMatch(settings: Pick<NewMatch, "game" | "seats"> & Partial<NewMatch>): Promise<void> {
  const { seat_tokens, state } = await requestJson<JoinedMatch>("/matches", {
    body: { ...DEFAULT_SETTINGS, ...settings } satisfies NewMatch,
  });
  saveSeatTokens(state.match_id, seat_tokens);
  navigate(`/m/${state.match_id}`);
}

/** Return the seat of the player at this browser. */
export function localPlayerSeat(): NewSeat {
  return { kind: "person", name: loadPlayerName() || t("seat.you"), bot: null };
}
