import { Timer } from "../../transport/timer-wheel.js";
import { clock } from "../../transport/clock.js";
import type { ConnectivityState } from "./connectivity.js";

/** One watcher of a channel's state, with a deadline. */
class Watcher extends Timer {
  readonly last: ConnectivityState;
  readonly callback: (error: Error | null) => void;
  readonly #gone: (watcher: Watcher) => void;

  constructor(last: ConnectivityState, callback: (error: Error | null) => void, gone: (watcher: Watcher) => void) {
    super();
    this.last = last;
    this.callback = callback;
    this.#gone = gone;
  }

  expire(): void {
    this.#gone(this);
    this.callback(new Error("Deadline passed without connectivity state change"));
  }
}

/** The watchers of a channel's state. Each is called once. */
export class Watchers {
  readonly #waiting = new Set<Watcher>();
  /** Keeps the process alive while there are watchers: deadlines do not. */
  #hold: NodeJS.Timeout | null = null;

  add(last: ConnectivityState, present: ConnectivityState, timeout: number, callback: (error: Error | null) => void): void {
    if (present !== last) {
      process.nextTick(callback, null);
      return;
    }
    const watcher = new Watcher(last, callback, (gone) => {
      this.#remove(gone);
    });
    this.#waiting.add(watcher);
    if (timeout !== Infinity) {
      clock.set(watcher, Math.max(timeout, 0));
      this.#hold ??= setInterval(() => undefined, 0x7fff_ffff);
    }
  }

  changed(state: ConnectivityState): void {
    for (const watcher of [...this.#waiting]) {
      if (watcher.last === state) continue;
      this.#remove(watcher);
      clock.clear(watcher);
      process.nextTick(watcher.callback, null);
    }
  }

  #remove(watcher: Watcher): void {
    this.#waiting.delete(watcher);
    if (this.#waiting.size > 0 || this.#hold === null) return;
    clearInterval(this.#hold);
    this.#hold = null;
  }
}
