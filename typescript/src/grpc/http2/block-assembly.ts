/** Limits of one assembly. */
export interface AssemblyLimits {
  readonly maxHeaderBlockBytes: number;
  readonly maxContinuations: number;
}

/**
 * The fragments of one header block, limited in bytes and in number: this ends a CONTINUATION flood (CVE-2024-27316).
 */
export class BlockAssembly {
  /** The stream of the block. */
  stream = 0;
  /** A block has begun and must go on with the next frame. */
  open = false;
  end = false;
  selfDependent = false;
  private buffer = new Uint8Array(0);
  private count = 0;
  private pieces = 0;

  constructor(private readonly limits: AssemblyLimits) {}

  /** Begins with the first fragment. `add` checks the limit of bytes. */
  begin(stream: number, bytes: Uint8Array, from: number, to: number, end: boolean, selfDependent: boolean): void {
    this.stream = stream;
    this.open = true;
    this.end = end;
    this.selfDependent = selfDependent;
    this.pieces = 0;
    this.count = 0;
    this.append(bytes, from, to);
  }

  /** Adds a fragment. Returns false if a limit is exceeded. */
  add(bytes: Uint8Array, from: number, to: number): boolean {
    if (++this.pieces > this.limits.maxContinuations || this.count + to - from > this.limits.maxHeaderBlockBytes) return false;
    this.append(bytes, from, to);
    return true;
  }

  /** Returns the whole block. */
  finish(): Uint8Array {
    const block = this.buffer.subarray(0, this.count);
    this.open = false;
    this.buffer = new Uint8Array(0);
    return block;
  }

  private append(bytes: Uint8Array, from: number, to: number): void {
    const count = this.count + to - from;
    if (count > this.buffer.length) {
      const larger = new Uint8Array(count * 2);
      larger.set(this.buffer.subarray(0, this.count));
      this.buffer = larger;
    }
    this.buffer.set(bytes.subarray(from, to), this.count);
    this.count = count;
  }
}
