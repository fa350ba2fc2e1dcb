/** About what a buffered message costs beside its bytes: empty messages must not pile up either. */
const OVERHEAD = 128;

/** One message to send, kept until no attempt can need it again. */
export class Outgoing {
  bytes: Uint8Array;
  compressed: boolean;
  /** False while its compression is under way on another thread. */
  ready: boolean;
  /** What the message counts for while it is kept: its uncompressed bytes and an overhead. */
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

  /** The first attempt has room for more: tells the writer, once. */
  passed(): void {
    const sent = this.#sent;
    if (sent === null) return;
    this.#sent = null;
    sent();
  }
}
