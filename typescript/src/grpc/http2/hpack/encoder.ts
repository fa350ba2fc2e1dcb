import type { HeaderFields } from "../header-fields.js";
import { ENTRY_OVERHEAD, INITIAL_TABLE_BYTES } from "./dynamic-table.js";
import { huffmanEncode, huffmanLength } from "./huffman-encode.js";
import { INTEGER_BYTES, writeInteger } from "./integer.js";
import { STATIC_ENTRIES, STATIC_INDEX, staticMatch } from "./static-table.js";

/** Cached encodings of constant lists, a power of two. */
const SLOTS = 64;

/** After this many constant fields have found the table full, it is emptied for those in use now. */
const MOST_REFUSED = 1_024;

/** Bytes that `write` may take beside the bounds of its fields: two size updates. */
export const UPDATE_BYTES = 2 * INTEGER_BYTES;

/**
 * Writes the header blocks of one direction of one connection (RFC 7541).
 *
 * Entries are added while the peer's table has room and never evicted one by one: an index counts back from the newest,
 * so within an epoch (no entry added) a constant list is always the same bytes, and these are copied.
 */
export class HeaderEncoder {
  private readonly wanted: number;
  private limit: number;
  private size = 0;
  private count = 0;
  private epoch = 0;
  private refused = 0;
  /** The table must be announced before the next block: first emptied, then with its limit. */
  private announce = false;
  /**
   * Places of entries, counted from 1 in the order they were added, by `name NUL value`; and the newest of each name.
   */
  private readonly fields = new Map<string, number>();
  private readonly names = new Map<string, number>();
  private readonly lists: (HeaderFields | null)[] = new Array<HeaderFields | null>(SLOTS).fill(null);
  private readonly wires: Uint8Array[] = new Array<Uint8Array>(SLOTS).fill(new Uint8Array(0));
  private readonly epochs = new Float64Array(SLOTS);
  /** Whether the list found the table full: it then tries again each time it is sent. */
  private readonly waiting = new Uint8Array(SLOTS);

  /** @param wanted bytes of our table; the peer may allow less */
  constructor(wanted: number) {
    this.wanted = wanted;
    this.limit = Math.min(wanted, INITIAL_TABLE_BYTES);
    if (wanted < INITIAL_TABLE_BYTES) this.announce = true;
  }

  /** The peer's SETTINGS_HEADER_TABLE_SIZE. */
  allow(bytes: number): void {
    const limit = Math.min(this.wanted, bytes);
    if (limit === this.limit) return;
    this.limit = limit;
    this.clear();
  }

  /**
   * Writes a block of `fields`, and of `extra` after them. There must be room for the bounds of both.
   *
   * @returns the offset after it
   */
  write(fields: HeaderFields, extra: HeaderFields | undefined, out: Uint8Array, at: number): number {
    if (this.refused > MOST_REFUSED) this.clear();
    if (this.announce) {
      at = writeInteger(0, 0x1f, 0x20, out, at);
      at = writeInteger(this.limit, 0x1f, 0x20, out, at);
      this.announce = false;
    }
    at = fields.travel === "constant" ? this.constant(fields, out, at) : this.list(fields, out, at);
    if (extra === undefined) return at;
    return extra.travel === "constant" ? this.constant(extra, out, at) : this.list(extra, out, at);
  }

  private clear(): void {
    this.fields.clear();
    this.names.clear();
    this.size = 0;
    this.count = 0;
    this.refused = 0;
    this.epoch++;
    this.announce = true;
  }

  private constant(fields: HeaderFields, out: Uint8Array, at: number): number {
    const slot = fields.serial & (SLOTS - 1);
    if (this.lists[slot] === fields && this.epochs[slot] === this.epoch) {
      const wire = this.wires[slot]!;
      this.refused += this.waiting[slot]!;
      if (wire.length > 32) {
        out.set(wire, at);
        return at + wire.length;
      }
      for (let i = 0; i < wire.length; i++) out[at++] = wire[i]!;
      return at;
    }
    const { epoch, refused } = this;
    const end = this.list(fields, out, at);
    if (this.epoch === epoch) {
      this.lists[slot] = fields;
      this.epochs[slot] = epoch;
      this.waiting[slot] = this.refused > refused ? 1 : 0;
      this.wires[slot] = out.slice(at, end);
    }
    return end;
  }

  private list(fields: HeaderFields, out: Uint8Array, at: number): number {
    const { names, values, travel } = fields;
    for (let i = 0; i < names.length; i++) {
      const name = names[i]!;
      const value = values[i]!;
      const match = travel === "secret" ? 0 : this.match(name, value, travel === "constant");
      if (match > 0) {
        at = writeInteger(match, 0x7f, 0x80, out, at);
        continue;
      }
      const index = this.nameIndex(name);
      // A field of one call gets an entry if many calls will use its name.
      const adds = travel === "constant" || (travel === "once" && index === 0);
      if (adds && this.add(name, value)) at = writeInteger(index, 0x3f, 0x40, out, at);
      else at = writeInteger(index, 0x0f, travel === "secret" ? 0x10 : 0x00, out, at);
      if (index === 0) at = writeText(name, out, at);
      at = writeText(value, out, at);
    }
    return at;
  }

  /** The entry with this name and value, or 0. Fields of one call are looked up in the static table only. */
  private match(name: string, value: string, constant: boolean): number {
    const fixed = staticMatch(name, value);
    if (fixed > 0 || !constant) return fixed;
    const place = this.fields.get(`${name}\0${value}`);
    return place === undefined ? 0 : STATIC_ENTRIES + 1 + this.count - place;
  }

  private nameIndex(name: string): number {
    const fixed = STATIC_INDEX.get(name);
    if (fixed !== undefined) return fixed;
    const place = this.names.get(name);
    return place === undefined ? 0 : STATIC_ENTRIES + 1 + this.count - place;
  }

  private add(name: string, value: string): boolean {
    const size = name.length + value.length + ENTRY_OVERHEAD;
    if (this.size + size > this.limit) {
      // An entry of half the table's size does not justify emptying it.
      if (size <= this.limit >> 1) this.refused++;
      return false;
    }
    this.size += size;
    this.count++;
    this.epoch++;
    this.fields.set(`${name}\0${value}`, this.count);
    this.names.set(name, this.count);
    return true;
  }
}

/** A text literal, Huffman coded where that is shorter. */
function writeText(text: string, out: Uint8Array, at: number): number {
  const coded = huffmanLength(text);
  if (coded < text.length) return huffmanEncode(text, out, writeInteger(coded, 0x7f, 0x80, out, at));
  at = writeInteger(text.length, 0x7f, 0x00, out, at);
  for (let i = 0; i < text.length; i++) out[at++] = text.charCodeAt(i);
  return at;
}
