import type { HeaderBlock } from "../header-block.js";
import { hashBytes, sameBytes } from "./text.js";

/** The longest encoded block that is cached. */
const LONGEST = 1_024;

/** The most fields of a block that is cached. */
const MOST_FIELDS = 64;

/** The epoch of a block without dynamic entries: always valid. */
export const ANY_EPOCH = -1;

/**
 * A cache of whole header blocks by their bytes.
 *
 * A block may be cached if decoding it did not change the dynamic table (no literal with indexing, no size update). An
 * entry is valid while the table stays in the same epoch, and always if it refers to static entries only. At most
 * `entries` blocks of 1 KiB and 64 fields; blocks of earlier epochs stay until their slot is reused.
 */
export class BlockCache {
  private readonly wires: (Uint8Array | null)[];
  private readonly blocks: (HeaderBlock | null)[];
  private readonly epochs: Float64Array;
  private readonly mask: number;
  /** The slot of the last hit, tried first: a compare is cheaper than a hash. */
  private recent = 0;
  private slot = 0;

  /** @param entries a power of two */
  constructor(entries: number) {
    this.wires = new Array<Uint8Array | null>(entries).fill(null);
    this.blocks = new Array<HeaderBlock | null>(entries).fill(null);
    this.epochs = new Float64Array(entries);
    this.mask = entries - 1;
  }

  /** Returns the cached block of `bytes[from, to)` if it is valid in this epoch, or null; `put` may then add it. */
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

  /** Caches the block for the bytes of the last `get`, in an epoch. */
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
