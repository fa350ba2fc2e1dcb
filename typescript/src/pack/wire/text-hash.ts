/** So that an attacker cannot choose texts of one hash. */
export function newSeed(): number {
  return (Math.random() * 0x1_0000_0000) | 1;
}

/**
 * After this many comparisons of different texts with equal sampled hashes, a table hashes whole texts: the texts
 * differ between the samples, as `user1234` and `user2234`, or an attacker chose them.
 */
export const COLLISIONS = 8;

/**
 * A hash of the length and six characters: to hash all of them takes longer than to write the text. Two are the last
 * ones, since keys and names in series are numbered at the end; two are where `web-19.example.net` has its number.
 * Characters of Latin-1 and a length below 256 do not share bits.
 */
export function hashSampled(text: string, length: number, seed: number): number {
  if (length < 2) return length === 0 ? seed : Math.imul(text.charCodeAt(0) ^ seed, 0x85ebca6b);
  const last = length - 1;
  const quarter = last >> 2;
  const late = text.charCodeAt(last) | (text.charCodeAt(last - 1) << 8) | (text.charCodeAt(last - quarter - 1) << 16) | (length << 24);
  const early = text.charCodeAt(last >> 1) | (text.charCodeAt(quarter) << 8) | (text.charCodeAt(quarter + 1) << 16);
  const hash = Math.imul((late ^ seed) + Math.imul(early, 0x9e3779b1), 0x85ebca6b);
  return hash ^ (hash >>> 15);
}

/** A hash of all characters, two at a time. */
export function hashWhole(text: string, length: number, seed: number): number {
  let hash = seed ^ length;
  const even = length & ~1;
  for (let i = 0; i < even; i += 2) {
    const product = Math.imul(hash ^ (text.charCodeAt(i) | (text.charCodeAt(i + 1) << 16)), 0x9e3779b1);
    hash = product ^ (product >>> 13);
  }
  if (even < length) hash = Math.imul(hash ^ text.charCodeAt(even), 0x9e3779b1);
  const mixed = Math.imul(hash ^ (hash >>> 16) ^ seed, 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}
