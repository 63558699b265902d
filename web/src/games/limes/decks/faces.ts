/** Faces of cards: four zones nw ne sw se as they are written, `?` for one that is not known yet. */
import { PageError } from "$lib/app/errors";
import type { Landscape } from "../draw/zones";

export const CARDS = 24;
export const LANDSCAPES: readonly Landscape[] = ["F", "W", "T", "R"];
/** All that a zone can be, in the order in which taps go through it. */
export const ZONES = ["F", "F*", "W", "T", "T*", "R", "R*"] as const;
export const UNKNOWN = "?";
export type KnownZone = (typeof ZONES)[number];
export type Zone = KnownZone | typeof UNKNOWN;
export type Face = readonly [Zone, Zone, Zone, Zone];

export const BLANK: Face = [UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN];

/** What a tap makes of a zone. */
export function nextZone(zone: Zone): KnownZone {
  const place = ZONES.indexOf(zone as KnownZone);
  return ZONES[(place + 1) % ZONES.length]!;
}

/** The zone with a hut, or without the one it has; null where none can stand. */
export function otherHut(zone: Zone): KnownZone | null {
  if (zone === UNKNOWN || zone === "W") return null;
  return (zone.endsWith("*") ? zone[0] : `${zone}*`) as KnownZone;
}

/** The face after a quarter turn, clockwise or not. */
export function turned([nw, ne, sw, se]: Face, by: 1 | -1 = 1): Face {
  return by === 1 ? [sw, nw, se, ne] : [ne, se, nw, sw];
}

/** One text that stands for all turnings of a face. */
export function alike(face: Face): string {
  const turnings = [face];
  while (turnings.length < 4) turnings.push(turned(turnings.at(-1)!));
  return turnings.map(writeFace).sort()[0]!;
}

export function writeFace(face: Face): string {
  return face.join(" ");
}

export function isWhole(face: Face): boolean {
  return !face.includes(UNKNOWN);
}

/** The faces of a deck that was kept, card by card; whatever is none is still to be entered. */
export function keptFaces(written: readonly string[]): Face[] {
  return Array.from({ length: CARDS }, (_, i) => {
    const zones = written[i]?.split(" ") ?? [];
    return [0, 1, 2, 3].map((n) => (isZone(zones[n]) ? zones[n] : UNKNOWN)) as unknown as Face;
  });
}

function isZone(written: string | undefined): written is KnownZone {
  return (ZONES as readonly (string | undefined)[]).includes(written);
}

/** The faces of a whole deck; a `PageError` that says which card is wrong. */
export function readFaces(written: readonly unknown[]): Face[] {
  if (written.length !== CARDS) throw new PageError("decks.wrong.count", { n: written.length });
  return written.map((face, i) => readFace(face, i + 1));
}

function readFace(written: unknown, n: number): Face {
  const zones = typeof written === "string" ? written.trim().toUpperCase().split(/\s+/) : [];
  if (zones.length !== 4) throw new PageError("decks.wrong.zones", { n });
  for (const zone of zones) {
    if (zone === "W*") throw new PageError("decks.wrong.hut", { n });
    if (!isZone(zone)) throw new PageError("decks.wrong.zone", { n, zone: zone.slice(0, 12) });
  }
  return zones as unknown as Face;
}
