import { Socket } from "node:net";
import type { OnReadOpts, SocketConstructorOpts } from "node:net";

/** Bytes of one read at most. */
const READ_BYTES = 262_144;

const shared = new Uint8Array(READ_BYTES);

/**
 * On Windows the system fills the buffer in the background, so that each socket needs its own (64 KiB for an idle
 * connection). Elsewhere a read and its callback are one step, and all sockets of the thread share one buffer.
 */
const allocate = (): Uint8Array => (process.platform === "win32" ? new Uint8Array(65_536) : shared);

/** Receives what a socket reads: `bytes[from, to)`, valid during the call only. */
export interface BytesReceiver {
  receive(bytes: Uint8Array, from: number, to: number): void;
}

/**
 * The buffer that a plain socket reads into (`onread`). By default Node allocates 64 KiB for every read: under bulk,
 * garbage collection and page faults then cost more than everything else. `receiver` must be set before the first read.
 */
export class ReadBuffer implements OnReadOpts {
  receiver: BytesReceiver | null = null;
  readonly buffer = allocate();
  readonly callback = (count: number): boolean => {
    this.receiver?.receive(this.buffer, 0, count);
    return true;
  };
}

/**
 * Wraps an accepted socket's handle in a new socket that has a read buffer: servers have no option for that. The handle
 * (`_handle`) is not documented; if it is not there, the socket is returned as it is, with null.
 */
export function withReadBuffer(accepted: Socket): { readonly socket: Socket; readonly readBuffer: ReadBuffer | null } {
  const holder = accepted as unknown as { _handle?: { useUserBuffer?: unknown } | null };
  const handle = holder._handle;
  if (typeof handle?.useUserBuffer !== "function") return { socket: accepted, readBuffer: null };
  const readBuffer = new ReadBuffer();
  const options = { handle, onread: readBuffer } as SocketConstructorOpts;
  const socket = new Socket(options);
  // The old socket has no handle any more. Destroying it lets its server count the connection as closed.
  holder._handle = null;
  accepted.destroy();
  return { socket, readBuffer };
}
