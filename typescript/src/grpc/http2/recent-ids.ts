/** Stream ids, the last few of them: bounded memory of what happened to streams that are gone. */
export class RecentIds {
  private readonly ring: Int32Array;
  private readonly known = new Set<number>();
  private at = 0;
  /** The greatest id that was forgotten. */
  forgotten = 0;

  constructor(private readonly most: number) {
    this.ring = new Int32Array(most);
  }

  add(id: number): void {
    if (this.known.has(id)) return;
    const oldest = this.ring[this.at]!;
    if (oldest !== 0) {
      this.known.delete(oldest);
      if (oldest > this.forgotten) this.forgotten = oldest;
    }
    this.ring[this.at] = id;
    this.known.add(id);
    this.at = (this.at + 1) % this.most;
  }

  /** Whether it may have been added: remembered, or so old that it could have been forgotten. */
  perhaps(id: number): boolean {
    return id <= this.forgotten || this.known.has(id);
  }
}
