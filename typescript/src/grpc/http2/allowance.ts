/** A burst that a peer may spend on what costs us work, refilled by time (with a clock) and by useful traffic. */
export class Allowance {
  private left: number;
  private filled: number;

  constructor(
    private readonly burst: number,
    private readonly perSecond: number,
    private readonly clock: (() => number) | null,
  ) {
    this.left = burst;
    this.filled = clock?.() ?? 0;
  }

  /** Takes one. False: the burst is spent. The clock is asked only when it is. */
  spend(cost = 1): boolean {
    this.left -= cost;
    if (this.left >= 0) return true;
    if (this.clock === null) return false;
    const now = this.clock();
    this.left = Math.min(this.burst, this.left + ((now - this.filled) * this.perSecond) / 1_000);
    this.filled = now;
    return this.left >= 0;
  }

  /** Something useful came of it. */
  earn(amount: number): void {
    if (this.left < this.burst) this.left = Math.min(this.burst, this.left + amount);
  }
}
