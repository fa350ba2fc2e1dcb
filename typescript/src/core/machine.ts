/** Bytes to write: one piece, or several in order. */
export type OutputChunk = Uint8Array | readonly Uint8Array[];

/**
 * One connection of a protocol, without I/O and clock: the transport calls it with the socket's events, and takes the
 * bytes to write from it. No method may be called from inside another, except that a callback of the layer above may
 * call any method of the protocol.
 */
export interface Machine {
  /** Why the connection died; null while it lives, and after an orderly end. */
  readonly error: Error | null;
  /** Connects the machine to its transport, before anything else. The transport calls `take` right after. */
  attach(outlet: Outlet): void;
  /** `bytes[from, to)` came from the peer. They are valid during the call only. */
  receive(bytes: Uint8Array, from: number, to: number): void;
  /** The peer closed its side, or with `reason` the transport broke. May be called again after the end. */
  end(reason?: Error): void;
  /** Returns the bytes to write now, or null. They belong to the transport until `recycle`. */
  take(): OutputChunk | null;
  /** Takes back what `take` returned, once it is written. */
  recycle(output: OutputChunk): void;
  /** The deadline that was set with `Outlet.onDeadline` has passed. `now` is in milliseconds of a monotonic clock. */
  expire(now: number): void;
}

/** The transport's side of a machine. All calls return at once and never call the machine back. */
export interface Outlet {
  /** There is output: the transport schedules `take`. Called once until the next `take`. */
  onOutput(): void;
  /** Stops (true) or resumes (false) reading, while replies to the peer pile up faster than it reads them. */
  onPause(pause: boolean): void;
  /**
   * `expire` is due in `delay` milliseconds, `Infinity` for never. Replaces the deadline before. The end of the
   * connection clears it.
   */
  onDeadline(delay: number): void;
  /** The machine is dead: the transport writes what `take` still returns, then closes. Exactly once. */
  onFinished(): void;
}
