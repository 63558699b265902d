/** Faces of cards: four zones nw ne sw se in their notation, or `?` for a zone that is not entered yet. */
import { PageError } from "$lib/app/errors";
import type { Landscape } from "../draw/zones";

export const DECK_SIZE = 24;
export const LANDSCAPES: readonly Landscape[] = ["F", "W", "T", "R"];
/** All zones, in the order in which taps cycle through them. */
export const ZONES = ["F", "F*", "W", "T", "T*", "R", "R*"] as const;
export const UNKNOWN = "?";
export type KnownZone = (typeof ZONES)[number];
export type Zone = KnownZone | typeof UNKNOWN;
export type Face = readonly [Zone, Zone, Zone, Zone];

export const BLANK: Face = [UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN];

/** Return what a zone becomes when it is tapped: the next of `ZONES`, landscapes without and with a hut. */
export function nextZoneKind(zone: Zone): KnownZone {
  const index = ZONES.indexOf(zone as KnownZone);
  return ZONES[(index + 1) % ZONES.length]!;
}

/** Return the zone with its hut added or removed; null if the zone cannot have a hut. */
export function withHutToggled(zone: Zone): KnownZone | null {
  if (zone === UNKNOWN || zone === "W") return null;
  return (zone.endsWith("*") ? zone[0] : `${zone}*`) as KnownZone;
}

/** Return the face after a quarter turn: 1 is clockwise, -1 counterclockwise. */
export function rotated([nw, ne, sw, se]: Face, direction: 1 | -1 = 1): Face {
  return direction === 1 ? [sw, nw, se, ne] : [ne, se, nw, sw];
}

/** Return the notation that is the same for all rotations of a face. */
export function canonicalNotation(face: Face): string {
  const rotations = [face];
  while (rotations.length < 4) rotations.push(rotated(rotations.at(-1)!));
  return rotations.map(formatFace).sort()[0]!;
}

export function formatFace(face: Face): string {
  return face.join(" ");
}

export function isComplete(face: Face): boolean {
  return !face.includes(UNKNOWN);
}

/** Return the faces of a stored deck. Missing and invalid zones are unknown. */
export function parseStoredFaces(texts: readonly string[]): Face[] {
  return Array.from({ length: DECK_SIZE }, (_, i) => {
    const zones = texts[i]?.split(" ") ?? [];
    return [0, 1, 2, 3].map((n) => (isZone(zones[n]) ? zones[n] : UNKNOWN)) as unknown as Face;
  });
}

function isZone(text: string | undefined): text is KnownZone {
  return (ZONES as readonly (string | undefined)[]).includes(text);
}

/** Parse the faces of a complete deck. Throws a `PageError` that names the first invalid card. */
export function parseFaces(values: readonly unknown[]): Face[] {
  if (values.length !== DECK_SIZE) throw new PageError("decks.error.count", { n: values.length });
  return values.map((value, i) => parseFace(value, i + 1));
}

function parseFace(value: unknown, n: number): Face {
  const zones = typeof value === "string" ? value.trim().toUpperCase().split(/\s+/) : [];
  if (zones.length !== 4) throw new PageError("decks.error.zones", { n });
  for (const zone of zones) {
    if (zone === "W*") throw new PageError("decks.error.hut", { n });
    if (!isZone(zone)) throw new PageError("decks.error.zone", { n, zone: zone.slice(0, 12) });
  }
  return zones as unknown as Face;
}
