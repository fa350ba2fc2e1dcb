/**
 * Throws again what a program's code threw, as an uncaught exception: it is not a fault of the connection, and must not
 * end its other calls.
 */
export function uncaught(thrown: unknown): void {
  process.nextTick(() => {
    throw thrown;
  });
}
