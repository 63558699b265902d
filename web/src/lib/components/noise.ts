/** Pseudorandom numbers for drawings, which depend on a key alone. `gamekit/noise.py` of the Python package returns the same numbers. */

/** Return the 32-bit FNV-1a hash of a text whose characters are bytes. */
export function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** Return a number in [0, 1) that depends on the name and the coordinates alone. */
export function noise(name: string, ...coordinates: number[]): number {
  // The separator is a byte that occurs in no part.
  let key = `${name}\x9e`;
  for (const part of coordinates) key += `${part}\x9e`;
  let bits = fnv1a(key);
  // FNV-1a maps keys that differ in one digit to similar hashes. The finalizer of MurmurHash3 spreads them.
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return ((bits ^ (bits >>> 16)) >>> 0) / 2 ** 32;
}
