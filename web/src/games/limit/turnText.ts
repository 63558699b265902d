/** Turns of Limit as text in the language of the page. */
import { t } from "$lib/i18n/messages.svelte";
import { boardRegionText } from "$lib/i18n/boardRegion";
import type { TurnContext } from "../gameUi";
import { turnParts } from "./board/scene";
import { center } from "./board/geometry";
import type { LimitView } from "./types";

export function turnText(turn: string, { views }: TurnContext): string {
  const { source, target, removed } = turnParts(turn);
  const { tiles } = views.at(-1) as LimitView;
  const where = source && tileRegionText(Object.keys(tiles), source);
  const tile = t(`limit.the-tile.${(tiles[removed] ?? "K") as "K"}`, { name: removed });
  if (source && removed) return t("review.limit.both", { where, source, target, tile });
  if (source) return t("review.limit.move", { where, source, target });
  return removed ? t("review.limit.removal", { tile }) : t("review.limit.pass");
}

/** Describe a turn in a few words, for a list. */
export function shortTurnText(turn: string): string {
  const { source, target, removed } = turnParts(turn);
  if (source && removed) return t("review.limit.brief.both", { source, target, removed });
  if (source) return t("review.limit.brief.move", { source, target });
  return removed ? t("review.limit.brief.removal", { removed }) : t("review.limit.pass");
}

/** Describe the part of the remaining board in which a tile is. */
function tileRegionText(tiles: readonly string[], name: string): string {
  const centers = tiles.map(center);
  const relative = (value: number, all: number[]) => {
    const [low, high] = [Math.min(...all), Math.max(...all)];
    return high > low ? (2 * (value - low)) / (high - low) - 1 : 0;
  };
  const { x, y } = center(name);
  return boardRegionText(
    relative(
      x,
      centers.map((other) => other.x),
    ),
    relative(
      y,
      centers.map((other) => other.y),
    ),
  );
}
