/** A sample this large, as a part of the window, says that the window is what holds the peer back. */
const FULL = 0.66;

/** How much faster a round trip must be than the best before for larger windows to be worth it. */
const FASTER = 1.05;

/**
 * Finds the window a peer can fill, the way of gRPC's bandwidth-delay estimate: bytes are counted from a PING to its answer. When one
 * round trip brings two thirds of the window, and more a millisecond than ever before, the window was too small and doubles.
 * Costs one PING for each half window of DATA at most; small calls never send one. Without a clock only the first rule holds.
 */
export class Bandwidth {
  private counted = 0;
  private since = 0;
  private best = 0;
  /** A PING is out and its answer will end the sample. */
  sampling = false;

  constructor(
    private readonly clock: (() => number) | null,
    private readonly most: number,
  ) {}

  /** Begins a sample; the caller sends the PING. */
  begin(): void {
    this.sampling = true;
    this.counted = 0;
    this.since = this.clock?.() ?? 0;
  }

  /** Payload came. */
  count(bytes: number): void {
    this.counted += bytes;
  }

  /** The PING came back: the window to have from now on, or 0 to leave it. */
  finish(window: number): number {
    this.sampling = false;
    if (window >= this.most || this.counted < window * FULL) return 0;
    if (this.clock !== null) {
      const rate = this.counted / Math.max(this.clock() - this.since, 0.01);
      if (rate < this.best * FASTER) return 0;
      this.best = rate;
    }
    return Math.min(this.counted * 2, this.most);
  }
}
