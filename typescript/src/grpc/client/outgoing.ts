/** Roughly the memory of a buffered message beside its bytes: empty messages must be bounded, too. */
const OVERHEAD = 128;

/** One message to send, kept until no attempt can need it again. */
export class Outgoing {
  bytes: Uint8Array;
  compressed: boolean;
  /** False while its compression is under way on another thread. */
  ready: boolean;
  /** The bytes charged for the message while it is kept: uncompressed, and an overhead. */
  readonly size: number;
  #sent: (() => void) | null;

  constructor(bytes: Uint8Array, compressed: boolean, ready: boolean, sent: (() => void) | null) {
    this.bytes = bytes;
    this.compressed = compressed;
    this.ready = ready;
    this.size = bytes.length + OVERHEAD;
    this.#sent = sent;
  }

  /** Whether a writer waits for room after it. */
  get awaited(): boolean {
    return this.#sent !== null;
  }

  /** The first attempt has room for more: calls the writer back, once. */
  passed(): void {
    const sent = this.#sent;
    if (sent === null) return;
    this.#sent = null;
    sent();
  }
}
