/** Turns of the event loop that one spin lasts: some 100 µs, about what a sleeping peer takes to wake up and reply. */
const TURNS = 100;

/** A reply within so many turns was about to come anyway, or the peer shares our core and ran instead of us. */
const IMMEDIATE_TURNS = 2;

/** The most messages that go without a spin after a miss. */
const MAX_SKIPPED = 63;

/**
 * Adaptive spinning: keeps the event loop turning for a moment after a small message went out alone, instead of letting
 * the thread sleep in the kernel. If the reply comes within microseconds, the sleep and the wake-up cost both ends
 * several times what the exchange does.
 *
 * A spin is a hit if something comes during it. A miss (the peer is slow, shares our core or would have replied at
 * once) doubles the number of messages that go without a spin, and a hit halves it: misses waste one or two per cent of
 * the time.
 */
export class AdaptiveSpin {
  /** Turns left of the current spin; 0: not spinning. */
  private left = 0;
  /** A turn is scheduled. */
  private turning = false;
  /** Messages that still go without a spin, and how many will after the next miss. */
  private skip = 0;
  private penalty = 0;

  /** @param soon runs a function after the event loop has turned */
  constructor(private readonly soon: (turn: () => void) => unknown) {}

  /** A small message is out: spins, unless recent spins missed. */
  begin(): void {
    if (this.skip > 0) {
      this.skip -= 1;
      return;
    }
    this.left = TURNS;
    if (this.turning) return;
    this.turning = true;
    this.soon(this.turn);
  }

  /** Something has come: ends the spin. */
  end(): void {
    if (this.left === 0) return;
    if (this.left < TURNS - IMMEDIATE_TURNS) this.penalty >>= 1;
    else this.miss();
    this.left = 0;
  }

  private readonly turn = (): void => {
    if (this.left === 0) {
      this.turning = false;
      return;
    }
    this.left -= 1;
    if (this.left === 0) this.miss();
    this.soon(this.turn);
  };

  private miss(): void {
    this.skip = this.penalty;
    this.penalty = Math.min(this.penalty * 2 + 1, MAX_SKIPPED);
  }
}

/** The spin of this thread's event loop: shared by all connections. */
export const adaptiveSpin = new AdaptiveSpin(setImmediate);
