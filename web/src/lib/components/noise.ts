/** Noise for a drawing: numbers that depend on a key alone, the same here as in the Python package. */

/** The hash of 32 bits that Fowler, Noll and Vo published under this name, of a text whose characters are bytes. */
export function fnv1a(text: string): number {
  let found = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) found = Math.imul(found ^ text.charCodeAt(i), 0x01000193);
  return found >>> 0;
}

/** A number in [0, 1) that depends on the key alone, so that a drawing never changes by itself. */
export function noise(what: string, ...place: number[]): number {
  // A byte that no part contains ends each of them.
  let key = `${what}\x9e`;
  for (const part of place) key += `${part}\x9e`;
  let mixed = fnv1a(key);
  // Keys that differ in one digit are still alike: the last step of MurmurHash3 spreads them.
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
}
