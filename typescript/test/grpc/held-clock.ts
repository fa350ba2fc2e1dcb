import { mock } from "node:test";

/** A timer of the test's clock. */
interface Waiting {
  readonly due: number;
  readonly ring: () => void;
}

const waiting = new Set<Waiting>();
let now = Math.ceil(performance.now());

/**
 * Stops the clock for all tests of a file: it stands still until a test moves it by `hold`. Timers of Node's own go on.
 */
export function stopClock(): void {
  const set = (ring: (...args: unknown[]) => void, delay = 1, ...args: unknown[]): Waiting & { unref(): unknown } => {
    const timer = { due: now + delay, ring: () => { ring(...args); }, unref: () => timer };
    waiting.add(timer);
    return timer;
  };
  mock.method(performance, "now", () => now);
  mock.method(globalThis, "setTimeout", set as unknown as typeof setTimeout);
  mock.method(globalThis, "clearTimeout", ((timer: Waiting) => { waiting.delete(timer); }) as unknown as typeof clearTimeout);
}

/** Time for the system to deliver what was written to a socket of this process. */
const DELIVERY_MS = 20;
const word = new Int32Array(new SharedArrayBuffer(4));

/**
 * So many milliseconds pass at once, as a thread that was held finds it: timers are due, and what has come meanwhile is not
 * read.
 */
export function hold(milliseconds: number): void {
  Atomics.wait(word, 0, 0, DELIVERY_MS);
  now += milliseconds;
  for (const timer of [...waiting]) if (timer.due <= now && waiting.delete(timer)) timer.ring();
}

/** The event loop turns so often. */
export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => { setImmediate(resolve); });
}

/** The event loop turns until the condition holds. */
export async function turnUntil(condition: () => boolean): Promise<void> {
  const late = Date.now() + 60_000;
  while (!condition()) {
    if (Date.now() > late) throw new Error(`waited for ${condition.toString()}`);
    await turns(1);
  }
}
