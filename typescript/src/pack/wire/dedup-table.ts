/** Consecutive misses after which the dedup slot of a field is disabled. */
export const DEDUP_MISSES = 128;

/**
 * The texts of one message that may be referred back to, by content (section 6, look-up).
 *
 * A table of our own, because a `Map` would hash every fresh string whole, which costs more than writing it. Its hash looks at the
 * length and four characters, from a seed that changes with every table. Someone who knows that could send texts that agree in all of
 * these; so a probe that walks far makes the table hash whole texts (at most 95 characters) from then on. Look-up is complete
 * either way: what is found depends neither on the seed nor on the hash.
 *
 * Emptied by moving `base` on, not by clearing.
 */
export class TextTable {
  /** `base` + entry where a text is recorded; anything below `base` is empty. Linear probing, at most half full. */
  private slots = new Int32Array(SMALLEST);
  private mask = SMALLEST - 1;
  private base = 1;
  private entries = 0;
  /** New for each message: stores into an old array would each be remembered by the collector, and texts would live on in it. */
  private texts: string[] = NONE;
  /** How many texts the last message had, for room to begin with. */
  private expected = 0;
  private hashes = new Int32Array(SMALLEST / 2);
  private numbers = new Int32Array(SMALLEST / 2);
  private readonly seed = (Math.random() * 0x1_0000_0000) | 1;
  private whole = false;

  /** The number of an earlier text equal to this one, or −1 after recording it under `number`. */
  find(text: string, length: number, number: number): number {
    const hash = this.whole ? this.hashWhole(text, length) : this.hashSampled(text, length);
    const { slots, base, mask, hashes } = this;
    let at = hash & mask;
    let entry = slots[at]! - base;
    for (let steps = 0; entry >= 0; steps++) {
      if (hashes[entry] === hash && this.texts[entry] === text) return this.numbers[entry]!;
      if (steps === PATIENCE && !this.whole) {
        this.rehashWhole();
        return this.find(text, length, number);
      }
      at = (at + 1) & mask;
      entry = slots[at]! - base;
    }
    entry = this.entries++;
    if (entry === 0) this.texts = new Array<string>(this.expected);
    this.texts[entry] = text;
    slots[at] = base + entry;
    hashes[entry] = hash;
    this.numbers[entry] = number;
    if (entry * 2 + 2 > mask) this.rebuild(2 * (mask + 1));
    return -1;
  }

  private hashSampled(text: string, length: number): number {
    const last = length - 1;
    // The end tells more than the beginning: most keys and names that come in series count there.
    const late = text.charCodeAt(last) | (text.charCodeAt(last - 1) << 16);
    const inner = text.charCodeAt(last >> 1) | (text.charCodeAt(last - (last >> 2)) << 16);
    const hash = Math.imul((late ^ this.seed) + Math.imul(inner ^ length, 0x9e3779b1), 0x85ebca6b);
    return hash ^ (hash >>> 15);
  }

  private hashWhole(text: string, length: number): number {
    let hash = this.seed ^ length;
    for (let i = 0; i < length; i++) {
      hash = Math.imul(hash ^ text.charCodeAt(i), 0x9e3779b1);
      hash ^= hash >>> 13;
    }
    hash = Math.imul(hash ^ this.seed, 0x85ebca6b);
    return hash ^ (hash >>> 15);
  }

  private rehashWhole(): void {
    this.whole = true;
    for (let entry = 0; entry < this.entries; entry++) {
      const text = this.texts[entry]!;
      this.hashes[entry] = this.hashWhole(text, text.length);
    }
    this.rebuild(this.mask + 1);
  }

  private rebuild(size: number): void {
    // All or nothing: where there is no memory for one of them, the table stays as it is.
    const slots = new Int32Array(size);
    const hashes = new Int32Array(size / 2);
    const numbers = new Int32Array(size / 2);
    hashes.set(this.hashes.subarray(0, this.entries));
    numbers.set(this.numbers.subarray(0, this.entries));
    this.slots = slots;
    this.hashes = hashes;
    this.numbers = numbers;
    this.mask = size - 1;
    this.base = 1;
    for (let entry = 0; entry < this.entries; entry++) {
      let at = this.hashes[entry]! & this.mask;
      while (this.slots[at] !== 0) at = (at + 1) & this.mask;
      this.slots[at] = this.base + entry;
    }
  }

  /** Forgets all texts, at no cost for each. */
  clear(): void {
    if (this.entries === 0) return;
    this.base += this.entries;
    this.whole = false;
    this.texts = NONE;
    this.expected = Math.min(this.entries, MOST_EXPECTED);
    this.entries = 0;
    if (this.slots.length > KEPT || this.base > LAST_BASE) this.rebuild(SMALLEST);
  }
}

const NONE: string[] = [];
const SMALLEST = 64;
/** Probes after which the sampled hash is taken to be under attack; at half load that many in a row do not happen by chance. */
const PATIENCE = 24;
/** Larger tables are not kept for the next message. */
const KEPT = 1 << 14;
const MOST_EXPECTED = 1_024;
const LAST_BASE = 0x3fff_ffff;
