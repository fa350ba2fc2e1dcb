/**
 * Calls back once the sockets of this thread have read what waits in them: after two turns of the event loop. A socket
 * that took long to read in one of them goes on in the other.
 *
 * A thread that was held, by a long handler or a stopped process, finds its timers due first. A timer that judges a peer
 * by what it has not sent must look again after that.
 */
export function afterReads(then: () => void): void {
  setImmediate(() => {
    setImmediate(then);
  });
}
