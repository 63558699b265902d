/** What a review would like to be seen on the board of a replay. */
import { requestJson, type PositionResponse } from "$lib/api";
import { fetchRecord, type SelectedTurn, type ReviewSource } from "$lib/review/reviewStream";
import { locationsInReasons } from "$lib/review/text";
import type { Comparison } from "../../games/gameUi";

export class ReviewSelection {
  look = $state.raw<SelectedTurn | null>(null);
  #preview = $state.raw<unknown>(null);

  /** The turn that is shown beside the better one, if one is. */
  readonly compare: Comparison | null = $derived.by(() => {
    if (this.look?.as !== "compare") return null;
    const { player, step, played, best, reasons } = this.look.turn;
    return { player, before: step, played, better: best, preview: this.#preview, places: locationsInReasons(reasons) };
  });

  /** Look at something else, or at nothing; throws `ApiError` where the server cannot say what the better turn leads to. */
  async show(next: SelectedTurn | null, source: ReviewSource): Promise<void> {
    this.look = next;
    this.#preview = null;
    if (next?.as !== "compare") return;
    const { step: step_count, player, best: turn } = next.turn;
    try {
      const body = { record: await fetchRecord(source), step_count, player, turn };
      const { preview } = await requestJson<PositionResponse>("/position", { body });
      if (this.look === next) this.#preview = preview;
    } catch (caught) {
      if (this.look === next) throw caught;
    }
  }
}
