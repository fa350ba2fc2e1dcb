import type { HeaderBlock } from "../header-block.js";
import { hashBytes, sameBytes } from "./text.js";

/** Longest block that is remembered, on the wire. */
const LONGEST = 1_024;

/** Most fields of a block that is remembered. */
const MOST_FIELDS = 64;

/** The epoch of a block that refers to no dynamic entry: valid for ever. */
export const ANY_EPOCH = -1;

/**
 * Whole header blocks by their bytes.
 *
 * The rule: a block may be remembered when decoding it left the dynamic table alone (no literal with indexing, no size update);
 * it is valid as long as the table stays in the epoch it was decoded in, and for ever when it refers to static entries only.
 * Bounded by `entries` blocks of 1 KiB and 64 fields; nothing of an earlier epoch is kept but what its slot holds until it is used again.
 */
export class BlockCache {
  private readonly wires: (Uint8Array | null)[];
  private readonly blocks: (HeaderBlock | null)[];
  private readonly epochs: Float64Array;
  private readonly mask: number;
  /** The slot of the last hit: most traffic repeats itself, and a compare is cheaper than a hash. */
  private recent = 0;
  private slot = 0;

  /** @param entries a power of two */
  constructor(entries: number) {
    this.wires = new Array<Uint8Array | null>(entries).fill(null);
    this.blocks = new Array<HeaderBlock | null>(entries).fill(null);
    this.epochs = new Float64Array(entries);
    this.mask = entries - 1;
  }

  /** The block of `bytes[from, to)` if it is known and valid in this epoch. After null, `put` takes the same bytes. */
  get(bytes: Uint8Array, from: number, to: number, epoch: number): HeaderBlock | null {
    if (this.matches(this.recent, bytes, from, to, epoch)) return this.blocks[this.recent]!;
    if (to - from > LONGEST) {
      this.slot = -1;
      return null;
    }
    const slot = (this.slot = hashBytes(bytes, from, to) & this.mask);
    if (!this.matches(slot, bytes, from, to, epoch)) return null;
    this.recent = slot;
    return this.blocks[slot]!;
  }

  /** Remembers what the bytes of the last `get` mean in an epoch. */
  put(bytes: Uint8Array, from: number, to: number, epoch: number, block: HeaderBlock): void {
    const { slot } = this;
    if (slot < 0 || block.names.length > MOST_FIELDS) return;
    this.wires[slot] = bytes.slice(from, to);
    this.blocks[slot] = block;
    this.epochs[slot] = epoch;
    this.recent = slot;
  }

  private matches(slot: number, bytes: Uint8Array, from: number, to: number, epoch: number): boolean {
    const wire = this.wires[slot];
    if (wire == null || wire.length !== to - from) return false;
    const decodedIn = this.epochs[slot]!;
    return (decodedIn === epoch || decodedIn === ANY_EPOCH) && sameBytes(wire, bytes, from);
  }
}
