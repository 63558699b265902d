/** The turn of a review that the board of a replay shows. */
import { requestJson, type PositionResponse } from "$lib/api";
import { fetchRecord, type SelectedTurn, type ReviewSource } from "$lib/review/reviewStream";
import { locationsInReasons } from "$lib/review/text";
import type { Comparison } from "../../games/gameUi";

export class ReviewSelection {
  selectedTurn = $state.raw<SelectedTurn | null>(null);
  #preview = $state.raw<unknown>(null);

  /** The selected turn beside the best one, or null. */
  readonly comparison: Comparison | null = $derived.by(() => {
    if (this.selectedTurn?.mode !== "compare") return null;
    const { player, step, played, best, reasons } = this.selectedTurn.turn;
    return { player, frameIndex: step, played, better: best, preview: this.#preview, locations: locationsInReasons(reasons) };
  });

  /** Select a turn, or none. Throws `ApiError` if the position after the best turn cannot be loaded. */
  async show(next: SelectedTurn | null, source: ReviewSource): Promise<void> {
    this.selectedTurn = next;
    this.#preview = null;
    if (next?.mode !== "compare") return;
    const { step: step_count, player, best: turn } = next.turn;
    try {
      const body = { record: await fetchRecord(source), step_count, player, turn };
      const { preview } = await requestJson<PositionResponse>("/position", { body });
      if (this.selectedTurn === next) this.#preview = preview;
    } catch (caught) {
      if (this.selectedTurn === next) throw caught;
    }
  }
}
