import { MAX_31_BITS } from "./frame/head.js";

/**
 * Room that the peer has for DATA, of a stream or the connection (RFC 9113 section 5.2).
 *
 * room + unacknowledged + credit = size, where unacknowledged is what the layer above has not given back, and credit
 * what has been given back and not yet announced. Room goes below zero after SETTINGS lower a window; it is announced
 * again in steps of half the size.
 */
export class ReceiveWindow {
  private room: number;
  private credit = 0;
  private size: number;

  constructor(size: number) {
    this.room = size;
    this.size = size;
  }

  /** Bytes the peer may have in flight and unread. */
  get bytes(): number {
    return this.size;
  }

  /** Bytes that came and that the layer above has not given back. */
  get unread(): number {
    return this.size - this.room - this.credit;
  }

  /** The peer sent `n` bytes. False: it had no room for them. An end without bytes needs none. */
  use(n: number): boolean {
    this.room -= n;
    return this.room >= 0 || n === 0;
  }

  /** The layer above has dealt with `n` bytes. Returns the increment to announce now, mostly 0. */
  give(n: number): number {
    this.credit += n;
    if (this.credit < this.size >> 1 || this.credit === 0) return 0;
    const due = this.credit;
    this.credit = 0;
    this.room += due;
    return due;
  }

  /** Makes the window larger; the difference counts as credit. Returns the increment to announce now. */
  grow(size: number): number {
    const more = Math.min(size, MAX_31_BITS) - this.size;
    if (more <= 0) return 0;
    this.size += more;
    const due = this.credit + more;
    this.credit = 0;
    this.room += due;
    return due;
  }

  /** Makes the window larger where SETTINGS has announced it already, or smaller where the peer has acknowledged that. */
  resize(size: number): void {
    this.room += size - this.size;
    this.size = size;
  }
}
