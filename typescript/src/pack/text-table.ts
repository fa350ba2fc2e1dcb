/**
 * The texts of one message that may be referred back to, by content (section 6, look-up).
 *
 * A table of our own, because a `Map` would hash every fresh string whole, which costs more than writing it. Its hash looks at the
 * length and five characters, from a seed that changes with every table. Someone who knows that could send texts that agree in all of
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
  private readonly texts: string[] = [];
  private readonly hashes: number[] = [];
  private readonly numbers: number[] = [];
  private readonly seed = (Math.random() * 0x1_0000_0000) | 1;
  private whole = false;

  /** The number of an earlier text equal to this one, or −1 after recording it under `number`. */
  find(text: string, length: number, number: number): number {
    const hash = this.whole ? this.hashWhole(text, length) : this.hashSampled(text, length);
    const { slots, base, mask } = this;
    let at = hash & mask;
    let entry = slots[at]! - base;
    for (let steps = 0; entry >= 0; steps++) {
      if (this.hashes[entry] === hash && this.texts[entry] === text) return this.numbers[entry]!;
      if (steps === PATIENCE && !this.whole) {
        this.rehashWhole();
        return this.find(text, length, number);
      }
      at = (at + 1) & mask;
      entry = slots[at]! - base;
    }
    this.add(at, text, hash, number);
    return -1;
  }

  private add(at: number, text: string, hash: number, number: number): void {
    const entry = this.entries++;
    this.slots[at] = this.base + entry;
    this.texts[entry] = text;
    this.hashes[entry] = hash;
    this.numbers[entry] = number;
    if (this.entries * 2 > this.mask) this.rebuild(2 * (this.mask + 1));
  }

  private hashSampled(text: string, length: number): number {
    const last = length - 1;
    let hash = Math.imul(this.seed ^ length ^ (text.charCodeAt(0) << 8), 0x9e3779b1);
    hash = Math.imul(hash ^ text.charCodeAt(last) ^ (text.charCodeAt(last >> 1) << 16), 0x85ebca6b);
    hash = Math.imul(hash ^ text.charCodeAt(last >> 2) ^ (text.charCodeAt(last - (last >> 2)) << 16), 0xc2b2ae35);
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
    this.slots = new Int32Array(size);
    this.mask = size - 1;
    this.base = 1;
    for (let entry = 0; entry < this.entries; entry++) {
      let at = this.hashes[entry]! & this.mask;
      while (this.slots[at] !== 0) at = (at + 1) & this.mask;
      this.slots[at] = this.base + entry;
    }
  }

  /** Forgets all texts. Cheap where there were few. */
  clear(): void {
    if (this.entries === 0) return;
    this.base += this.entries;
    this.whole = false;
    if (this.entries > KEPT || this.base > LAST_BASE) {
      this.texts.length = 0;
      this.hashes.length = 0;
      this.numbers.length = 0;
      this.slots = new Int32Array(SMALLEST);
      this.mask = SMALLEST - 1;
      this.base = 1;
    } else {
      // Texts would otherwise live on, and with them the blocks that they are cut from.
      for (let entry = 0; entry < this.entries; entry++) this.texts[entry] = "";
    }
    this.entries = 0;
  }
}

const SMALLEST = 64;
/** Probes after which the sampled hash is taken to be under attack; at half load that many in a row do not happen by chance. */
const PATIENCE = 24;
/** Entries up to which the arrays are kept for the next message. */
const KEPT = 4_096;
const LAST_BASE = 0x3fff_ffff;
