import { ErrorCode } from "../error-code.js";
import { Http2Error } from "../error.js";
import { HeaderBlock } from "../header-block.js";
import { ANY_EPOCH, BlockCache } from "./block-cache.js";
import { DynamicTable, ENTRY_OVERHEAD, INITIAL_TABLE_BYTES } from "./dynamic-table.js";
import { readInteger } from "./integer.js";
import type { Cursor } from "./integer.js";
import { STATIC_ENTRIES, STATIC_NAMES, STATIC_VALUES } from "./static-table.js";
import { TextCache } from "./text-cache.js";

function bad(text: string): never {
  throw new Http2Error(ErrorCode.COMPRESSION_ERROR, "peer", text);
}

/** Limits of a decoder. */
export interface DecoderLimits {
  readonly headerTableBytes: number;
  readonly maxHeaderListBytes: number;
  readonly blockCacheEntries: number;
}

/** Decodes the header blocks of one direction of one connection (RFC 7541). An error ends the connection. */
export class HeaderDecoder {
  private readonly table: DynamicTable;
  private readonly cache: BlockCache;
  private readonly texts = new TextCache();
  private readonly limits: DecoderLimits;
  private readonly cursor: Cursor = { bytes: new Uint8Array(0), at: 0, end: 0 };
  private dead: Http2Error | null = null;
  /** The greatest table size that the peer may choose. */
  private allowed: number;
  /** The peer has promised a smaller table, so its next block begins with the update (RFC 7541 section 4.2). */
  private awaitUpdate = false;
  /** Whether the block being read used a dynamic entry. */
  private usedDynamic = false;

  constructor(limits: DecoderLimits) {
    this.limits = limits;
    this.table = new DynamicTable(INITIAL_TABLE_BYTES);
    this.allowed = Math.max(INITIAL_TABLE_BYTES, limits.headerTableBytes);
    this.cache = new BlockCache(limits.blockCacheEntries);
  }

  /** The peer has acknowledged our SETTINGS: its table keeps to `headerTableBytes` from here on. */
  acknowledged(): void {
    this.allowed = this.limits.headerTableBytes;
    this.awaitUpdate = this.table.capacity > this.allowed;
  }

  /** Bytes of the dynamic table now. */
  get tableBytes(): number {
    return this.table.size;
  }

  /**
   * Reads one whole block.
   *
   * @returns null if the list is over `maxHeaderListBytes`: it was decoded to keep the table in step, and dropped
   * @throws Http2Error COMPRESSION_ERROR
   */
  decode(bytes: Uint8Array, from: number, to: number): HeaderBlock | null {
    if (this.dead !== null) throw this.dead;
    const { epoch } = this.table;
    const known = this.cache.get(bytes, from, to, epoch);
    if (known !== null) return known;
    const { cursor } = this;
    cursor.bytes = bytes;
    cursor.at = from;
    cursor.end = to;
    try {
      const block = this.read(cursor);
      if (block !== null && this.table.epoch === epoch) this.cache.put(bytes, from, to, this.usedDynamic ? epoch : ANY_EPOCH, block);
      return block;
    } catch (error) {
      this.dead = error as Http2Error;
      throw error;
    }
  }

  private read(cursor: Cursor): HeaderBlock | null {
    this.usedDynamic = false;
    const names: string[] = [];
    const values: string[] = [];
    let room = this.limits.maxHeaderListBytes;
    if (this.awaitUpdate && (cursor.bytes[cursor.at]! & 0xe0) !== 0x20) bad("the table was to shrink first");
    while (cursor.at < cursor.end) {
      const first = cursor.bytes[cursor.at]!;
      let name: string;
      let value: string;
      if (first >= 0x80) {
        const index = readInteger(cursor, 0x7f);
        name = this.name(index);
        value = index <= STATIC_ENTRIES ? STATIC_VALUES[index]! : this.table.value(index - STATIC_ENTRIES - 1);
      } else if (first >= 0x40) {
        name = this.literalName(cursor, 0x3f);
        value = this.text(cursor);
        this.table.insert(name, value);
      } else if (first >= 0x20) {
        this.sizeUpdate(cursor, room < this.limits.maxHeaderListBytes);
        continue;
      } else {
        name = this.literalName(cursor, 0x0f);
        value = this.text(cursor);
      }
      room -= name.length + value.length + ENTRY_OVERHEAD;
      if (room >= 0) {
        names.push(name);
        values.push(value);
      }
    }
    return room < 0 ? null : new HeaderBlock(names, values);
  }

  /** The name of an entry of either table. */
  private name(index: number): string {
    if (index <= 0) bad(index < 0 ? "an index is truncated or too large" : "index 0 is not valid");
    if (index <= STATIC_ENTRIES) return STATIC_NAMES[index]!;
    const dynamic = index - STATIC_ENTRIES - 1;
    if (dynamic >= this.table.length) bad(`there is no entry ${index}, the tables hold ${STATIC_ENTRIES + this.table.length}`);
    this.usedDynamic = true;
    return this.table.name(dynamic);
  }

  private literalName(cursor: Cursor, mask: number): string {
    const index = readInteger(cursor, mask);
    return index === 0 ? this.text(cursor) : this.name(index);
  }

  private text(cursor: Cursor): string {
    if (cursor.at >= cursor.end) bad("a header block ends where a text begins");
    const coded = cursor.bytes[cursor.at]! >= 0x80;
    const length = readInteger(cursor, 0x7f);
    if (length < 0 || length > cursor.end - cursor.at) bad("a text is longer than its header block");
    const text = this.texts.text(cursor.bytes, cursor.at, cursor.at + length, coded);
    if (text === null) bad("a text has a Huffman code or padding that does not exist");
    cursor.at += length;
    return text;
  }

  private sizeUpdate(cursor: Cursor, late: boolean): void {
    if (late) bad("the table size may change at the start of a block only");
    const size = readInteger(cursor, 0x1f);
    if (size < 0 || size > this.allowed) bad(`the table may have ${this.allowed} bytes`);
    this.awaitUpdate = false;
    this.table.resize(size);
  }
}
