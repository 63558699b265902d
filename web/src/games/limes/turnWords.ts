/** A turn in words, as a review or a hint names it. */
import { t } from "$lib/messages.svelte";
import { placeWords } from "./words";

export function turnWords(text: string): string {
  const [laid = "", action = ""] = text.split(" ");
  const cell = laid.slice(0, 2);
  const turning = laid.slice(3) as "0" | "1" | "2" | "3";
  const values = { cell, turned: t(`review.limes.turned.${turning}`) };
  if (action.startsWith("+")) return t("review.limes.place", { ...values, zone: t(`limes.quarter.${action.slice(1) as "nw"}`) });
  const [from, zone] = action.split(">");
  return from && zone
    ? t("review.limes.move", { ...values, from: placeWords(from), zone: placeWords(zone) })
    : t("review.limes.lay", values);
}
