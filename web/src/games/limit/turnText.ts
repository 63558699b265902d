/** A turn in words, as a review or a hint names it. */
import { t } from "$lib/i18n/messages.svelte";
import { boardRegionText } from "$lib/i18n/boardRegion";
import type { TurnContext } from "../gameUi";
import { turnParts } from "./board/scene";
import { center } from "./board/geometry";
import type { LimitView } from "./types";

export function turnText(text: string, { views }: TurnContext): string {
  const { source, target, removed } = turnParts(text);
  const { tiles } = views.at(-1) as LimitView;
  const where = source && tileRegionText(Object.keys(tiles), source);
  const tile = t(`limit.that-tile.${(tiles[removed] ?? "K") as "K"}`, { name: removed });
  if (source && removed) return t("review.limit.both", { where, source, target, tile });
  if (source) return t("review.limit.move", { where, source, target });
  return removed ? t("review.limit.removal", { tile }) : t("review.limit.pass");
}

/** The same for a list. */
export function shortTurnText(text: string): string {
  const { source, target, removed } = turnParts(text);
  if (source && removed) return t("review.limit.brief.both", { source, target, removed });
  if (source) return t("review.limit.brief.move", { source, target });
  return removed ? t("review.limit.brief.removal", { removed }) : t("review.limit.pass");
}

/** In which part of what is left of the board a tile is. */
function tileRegionText(tiles: readonly string[], name: string): string {
  const places = tiles.map(center);
  const from = (here: number, all: number[]) => {
    const [low, high] = [Math.min(...all), Math.max(...all)];
    return high > low ? (2 * (here - low)) / (high - low) - 1 : 0;
  };
  const { x, y } = center(name);
  return boardRegionText(
    from(
      x,
      places.map((place) => place.x),
    ),
    from(
      y,
      places.map((place) => place.y),
    ),
  );
}
