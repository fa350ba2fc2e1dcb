/**
 * Stream ids, the last few of them: bounded memory of what happened to streams that are gone, and none before the
 * first.
 */
export class RecentIds {
  private ring: Int32Array | null = null;
  private known: Set<number> | null = null;
  private at = 0;
  /** The greatest id that was forgotten. */
  forgotten = 0;

  constructor(private readonly most: number) {}

  add(id: number): void {
    const ring = (this.ring ??= new Int32Array(this.most));
    const known = (this.known ??= new Set<number>());
    if (known.has(id)) return;
    const oldest = ring[this.at]!;
    if (oldest !== 0) {
      known.delete(oldest);
      if (oldest > this.forgotten) this.forgotten = oldest;
    }
    ring[this.at] = id;
    known.add(id);
    this.at = (this.at + 1) % this.most;
  }

  /** Whether it may have been added: remembered, or so old that it could have been forgotten. */
  perhaps(id: number): boolean {
    return id <= this.forgotten || this.known?.has(id) === true;
  }
}
