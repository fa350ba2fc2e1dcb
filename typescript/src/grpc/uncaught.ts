/**
 * Throws an error of the program's code again, as an uncaught exception: the connection is not at fault, and its other
 * calls must go on.
 */
export function uncaught(thrown: unknown): void {
  process.nextTick(() => {
    throw thrown;
  });
}
