/**
 * A sample this large, as a part of the window, says that the window is what holds the peer back. Windows are announced in halves, so
 * that a peer which fills them may be caught with no more than a half within one round trip.
 */
const FULL = 0.45;

/** How much faster a round trip must be than the best before for larger windows to be worth it. */
const FASTER = 1.05;

/** Payloads that tell a stream of bulk from small calls, which never cause a PING. */
const BULK_BYTES = 8_192;

/** Most bulk frames that pass between two samples which found nothing. */
const PATIENCE = 256;

/**
 * Finds the window a peer can fill, the way of gRPC's bandwidth-delay estimate: bytes are counted from a PING, sent when DATA comes, to its
 * answer. When one round trip brings half of the window, and more a millisecond than ever before, the window was too small and doubles.
 * Samples that find nothing become rarer. Without a clock only the first rule holds.
 */
export class Bandwidth {
  private counted = 0;
  private since = 0;
  private best = 0;
  private skip = 1;
  private skipped = 0;
  /** A PING is out and its answer will end the sample. */
  sampling = false;

  constructor(
    private readonly clock: (() => number) | null,
    private readonly most: number,
  ) {}

  /** Payload came, under a window of so many bytes. True: a sample has begun, the caller sends the PING. */
  count(bytes: number, window: number): boolean {
    if (this.sampling) {
      this.counted += bytes;
      return false;
    }
    if (bytes < BULK_BYTES || window >= this.most || ++this.skipped < this.skip) return false;
    this.sampling = true;
    this.skipped = 0;
    this.counted = bytes;
    this.since = this.clock?.() ?? 0;
    return true;
  }

  /** The PING came back: the window to have from now on. */
  finish(window: number): number {
    this.sampling = false;
    const rate = this.clock === null ? Infinity : this.counted / Math.max(this.clock() - this.since, 0.01);
    if (this.counted < window * FULL || rate < this.best * FASTER) {
      this.skip = Math.min(this.skip * 2, PATIENCE);
      return window;
    }
    if (this.clock !== null) this.best = rate;
    this.skip = 1;
    return Math.min(window * 2, this.most);
  }
}
