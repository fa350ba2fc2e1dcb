import { Socket } from "node:net";
import type { OnReadOpts, SocketConstructorOpts } from "node:net";

/** Bytes of one read at most. */
const READ_BYTES = 262_144;

const shared = new Uint8Array(READ_BYTES);

/**
 * Room of its own for each socket where the system fills it behind our back (Windows), which costs an idle connection that much.
 * Elsewhere a read and its callback are one step, and all sockets of the thread share one buffer.
 */
const room = (): Uint8Array => (process.platform === "win32" ? new Uint8Array(65_536) : shared);

/** Who takes what a socket reads: `bytes[from, to)`, valid during the call only. */
export interface Taker {
  receive(bytes: Uint8Array, from: number, to: number): void;
}

/**
 * The reading side of a plain socket. Left to itself node makes new 64 KiB for every read, so that under bulk the collector and
 * fresh pages cost more than everything else; here all bytes come through one buffer. Nothing may be read before `taker` is set.
 */
export class Intake implements OnReadOpts {
  taker: Taker | null = null;
  readonly buffer = room();
  readonly callback = (count: number): boolean => {
    this.taker?.receive(this.buffer, 0, count);
    return true;
  };
}

/**
 * An accepted socket anew, with an intake: a server of node's cannot be told to make them so. Without the handle that node keeps
 * in its sockets, which is no documented one, there is none and the socket stays as it is.
 */
export function takeOver(accepted: Socket): { readonly socket: Socket; readonly intake: Intake | null } {
  const holder = accepted as unknown as { _handle?: { useUserBuffer?: unknown } | null };
  const handle = holder._handle;
  if (typeof handle?.useUserBuffer !== "function") return { socket: accepted, intake: null };
  const intake = new Intake();
  const options = { handle, onread: intake } as SocketConstructorOpts;
  const socket = new Socket(options);
  // What is left of the old one only lets its server count it out.
  holder._handle = null;
  accepted.destroy();
  return { socket, intake };
}
