/** Bytes that an entry counts beside its name and value (RFC 7541 section 4.1). */
export const ENTRY_OVERHEAD = 32;

/** Size of a dynamic table until SETTINGS and a size update say otherwise (RFC 9113 section 6.5.2). */
export const INITIAL_TABLE_BYTES = 4_096;

/** The decoder's dynamic table: a ring, newest entry first, bounded in bytes (RFC 7541 sections 2.3.2 and 4). */
export class DynamicTable {
  private names: string[];
  private values: string[];
  private mask: number;
  /** Place of the next entry. */
  private head = 0;
  private count = 0;
  private bytes = 0;
  private limit: number;
  /** Increases whenever an entry is added or evicted: indexes keep their meaning within one epoch. */
  epoch = 0;

  constructor(limit: number) {
    this.limit = limit;
    this.names = new Array<string>(8).fill("");
    this.values = new Array<string>(8).fill("");
    this.mask = 7;
  }

  /** Entries now. */
  get length(): number {
    return this.count;
  }

  /** Bytes now, by the RFC's count. */
  get size(): number {
    return this.bytes;
  }

  /** Bytes it may have. */
  get capacity(): number {
    return this.limit;
  }

  /** Name of entry 0 (the newest) to `length` - 1. */
  name(index: number): string {
    return this.names[(this.head - 1 - index) & this.mask]!;
  }

  /** Value of entry 0 (the newest) to `length` - 1. */
  value(index: number): string {
    return this.values[(this.head - 1 - index) & this.mask]!;
  }

  /** Adds an entry and evicts what no longer fits; one larger than the table empties it. */
  insert(name: string, value: string): void {
    const bytes = name.length + value.length + ENTRY_OVERHEAD;
    this.epoch++;
    this.evict(this.limit - bytes);
    if (bytes > this.limit) return;
    if (this.count > this.mask) this.grow();
    this.names[this.head] = name;
    this.values[this.head] = value;
    this.head = (this.head + 1) & this.mask;
    this.count++;
    this.bytes += bytes;
  }

  /** Takes a new bound. */
  resize(limit: number): void {
    this.limit = limit;
    this.epoch++;
    this.evict(limit);
  }

  private evict(room: number): void {
    while (this.bytes > room && this.count > 0) {
      const oldest = (this.head - this.count) & this.mask;
      this.bytes -= this.names[oldest]!.length + this.values[oldest]!.length + ENTRY_OVERHEAD;
      this.names[oldest] = "";
      this.values[oldest] = "";
      this.count--;
    }
  }

  /** Doubles the ring, oldest entry to place 0. An entry takes at least 32 of the table's bytes, which bounds it. */
  private grow(): void {
    const from = (this.head - this.count) & this.mask;
    const turn = (texts: string[]): string[] => [...texts.slice(from), ...texts.slice(0, from), ...new Array<string>(texts.length).fill("")];
    this.names = turn(this.names);
    this.values = turn(this.values);
    this.head = this.count;
    this.mask = this.mask * 2 + 1;
  }
}
