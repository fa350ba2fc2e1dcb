/**
 * A sample of at least this part of the window says that the window limits the peer. Windows are announced in halves,
 * so that a peer which fills them may be caught with no more than a half within one round trip.
 */
const FULL = 0.45;

/** A window grows only if the rate of a sample exceeds the best before by this factor. */
const FASTER = 1.05;

/** Frames from this payload on count as bulk. Small calls never cause a PING. */
const BULK_BYTES = 8_192;

/** The most bulk frames between two samples that found nothing. */
const MOST_SKIPPED = 256;

/**
 * Finds the window that a peer can fill, like gRPC's bandwidth-delay estimate: counts bytes from a PING, which is sent
 * when DATA comes, to its acknowledgement. If one round trip brings half of the window, and more per millisecond than
 * ever before, the window was too small and doubles. Samples that find nothing become rarer. Without a clock only the
 * first rule holds.
 */
export class Bandwidth {
  private counted = 0;
  private since = 0;
  private best = 0;
  private skip = 1;
  private skipped = 0;
  /** A PING is out; its acknowledgement ends the sample. */
  sampling = false;

  constructor(
    private readonly clock: (() => number) | null,
    private readonly most: number,
  ) {}

  /**
   * Counts payload received under a window of so many bytes. Returns true if a sample begins: the caller sends the
   * PING.
   */
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

  /** Windows have become smaller: rates of before say nothing any more. */
  restart(): void {
    this.best = 0;
    this.skip = 1;
  }

  /** The PING was acknowledged. Returns the window from now on. */
  finish(window: number): number {
    this.sampling = false;
    const rate = this.clock === null ? Infinity : this.counted / Math.max(this.clock() - this.since, 0.01);
    if (this.counted < window * FULL || rate < this.best * FASTER) {
      this.skip = Math.min(this.skip * 2, MOST_SKIPPED);
      return window;
    }
    if (this.clock !== null) this.best = rate;
    this.skip = 1;
    return Math.min(window * 2, this.most);
  }
}
