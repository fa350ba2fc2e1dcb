/** What a kept message costs beside its bytes, about: messages of no bytes must not pile up either. */
const OVERHEAD = 128;

/** One message on its way out, kept until no attempt can need it again. */
export class Outgoing {
  bytes: Uint8Array;
  compressed: boolean;
  /** False while its compression is under way on another thread. */
  ready: boolean;
  /** Bytes before any compression, and some more: what the message counts for while it is kept. */
  readonly size: number;
  #sent: (() => void) | null;

  constructor(bytes: Uint8Array, compressed: boolean, ready: boolean, sent: (() => void) | null) {
    this.bytes = bytes;
    this.compressed = compressed;
    this.ready = ready;
    this.size = bytes.length + OVERHEAD;
    this.#sent = sent;
  }

  /** The first attempt has room for more: tells the writer, once. */
  passed(): void {
    const sent = this.#sent;
    if (sent === null) return;
    this.#sent = null;
    sent();
  }
}
