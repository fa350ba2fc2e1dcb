import { COLLISIONS, hashSampled, hashWhole, newSeed } from "./text-hash.js";

/** Consecutive misses after which the dedup slot of a field is disabled. */
export const DEDUP_MISSES = 128;

/**
 * The numbered texts of one message, by content, for back references (section 6, look-up).
 *
 * Not a `Map`, which hashes every new string completely: that costs more than writing it. This hash samples a text, with
 * a seed for each table. Texts that agree in what is sampled are compared in vain: after a few of these, and after a
 * long probe, the table hashes complete texts (at most 95 characters) until the message ends. Look-up is complete either
 * way: the result depends on neither the seed nor the hash.
 *
 * Raising `base` empties the table without clearing it.
 */
export class TextTable {
  /** `base` + entry for a text; a value below `base` is an empty slot. Linear probing, at most half full. */
  private slots = new Int32Array(SMALLEST);
  private mask = SMALLEST - 1;
  private base = 1;
  private entries = 0;
  /** New for each message: every store into an old array takes a write barrier, and texts would stay alive in it. */
  private texts: string[] = NONE;
  /** How many texts the last message had: the initial capacity for the next. */
  private expected = 0;
  private hashes = new Int32Array(SMALLEST / 2);
  private numbers = new Int32Array(SMALLEST / 2);
  private readonly seed = newSeed();
  private whole = false;
  private collisions = 0;

  /** Returns the number of an earlier text equal to this one, or −1 after recording it under `number`. */
  find(text: string, length: number, number: number): number {
    const hash = this.whole ? hashWhole(text, length, this.seed) : hashSampled(text, length, this.seed);
    const { slots, base, mask, hashes } = this;
    let at = hash & mask;
    let entry = slots[at]! - base;
    for (let steps = 0; entry >= 0; steps++) {
      if (hashes[entry] === hash) {
        if (this.texts[entry] === text) return this.numbers[entry]!;
        this.collisions++;
      }
      if ((steps === PATIENCE || this.collisions > COLLISIONS) && !this.whole) {
        this.rehashWhole();
        return this.find(text, text.length, number);
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

  private rehashWhole(): void {
    this.whole = true;
    for (let entry = 0; entry < this.entries; entry++) {
      const text = this.texts[entry]!;
      this.hashes[entry] = hashWhole(text, text.length, this.seed);
    }
    this.rebuild(this.mask + 1);
  }

  private rebuild(size: number): void {
    // Both or none: if there is no memory for one of them, the table stays unchanged.
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

  /** Forgets all texts in constant time. */
  clear(): void {
    if (this.entries === 0) return;
    this.base += this.entries;
    this.whole = false;
    this.collisions = 0;
    this.texts = NONE;
    this.expected = Math.min(this.entries, MOST_EXPECTED);
    this.entries = 0;
    if (this.slots.length > KEPT || this.base > LAST_BASE) this.rebuild(SMALLEST);
  }
}

const NONE: string[] = [];
const SMALLEST = 64;
/** A longer probe means that the sampled hash is under attack: at half load it does not happen by chance. */
export const PATIENCE = 24;
/** Larger tables are not kept for the next message. */
const KEPT = 1 << 16;
const MOST_EXPECTED = 8_192;
const LAST_BASE = 0x3fff_ffff;
