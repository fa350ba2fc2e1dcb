/** A token bucket for frames that cost us work. Time (with a clock) and useful traffic refill it. */
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

  /** Takes one token. Returns false if there is none left. Reads the clock only then. */
  spend(cost = 1): boolean {
    this.left -= cost;
    if (this.left >= 0) return true;
    if (this.clock === null) return false;
    const now = this.clock();
    this.left = Math.min(this.burst, this.left + ((now - this.filled) * this.perSecond) / 1_000);
    this.filled = now;
    return this.left >= 0;
  }

  /** Useful traffic gives tokens back. */
  earn(amount: number): void {
    if (this.left < this.burst) this.left = Math.min(this.burst, this.left + amount);
  }
}
