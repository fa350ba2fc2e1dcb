/** Turns of the event loop that a lookout lasts: some 100 µs, about what a peer that sleeps takes to wake up and answer. */
const TURNS = 100;

/** What comes within so many turns was about to come anyway, or the peer shares our core and ran instead of us. */
const AT_ONCE = 2;

/** The most messages that go without a lookout because the last one was in vain. */
const MOST_REST = 63;

/**
 * Keeps the thread awake for a moment after a small message went out alone: its event loop turns instead of waiting in the system.
 * Where the answer comes within microseconds, to be put to sleep and woken costs both ends several times what the exchange does.
 *
 * A lookout pays when something comes during it. One that is in vain, because the peer takes its time, shares our core or would have
 * answered at once, doubles the messages that go without, and one that pays halves them: what is wasted comes to one or two parts in a
 * hundred.
 */
export class Lookout {
  /** Turns that are left; 0: nobody is looking out. */
  private left = 0;
  private turning = false;
  /** Messages that still go without a lookout, and how many do after the next one in vain. */
  private rest = 0;
  private penalty = 0;

  /** @param soon runs a function after the event loop has turned */
  constructor(private readonly soon: (turn: () => void) => unknown) {}

  /** A small message is out. */
  begin(): void {
    if (this.rest > 0) {
      this.rest -= 1;
      return;
    }
    this.left = TURNS;
    if (this.turning) return;
    this.turning = true;
    this.soon(this.turn);
  }

  /** Something has come. */
  end(): void {
    if (this.left === 0) return;
    if (this.left < TURNS - AT_ONCE) this.penalty >>= 1;
    else this.tire();
    this.left = 0;
  }

  private readonly turn = (): void => {
    if (this.left === 0) {
      this.turning = false;
      return;
    }
    this.left -= 1;
    if (this.left === 0) this.tire();
    this.soon(this.turn);
  };

  private tire(): void {
    this.rest = this.penalty;
    this.penalty = Math.min(this.penalty * 2 + 1, MOST_REST);
  }
}

/** Of this thread's event loop. */
export const lookout = new Lookout(setImmediate);
