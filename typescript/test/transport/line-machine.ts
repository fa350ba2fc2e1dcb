import type { Machine, Outlet, OutputChunk } from "../../src/core/machine.js";

const NEWLINE = 10;
const NOTHING = new Uint8Array(0);

/** Bytes of output beyond which a machine reads no further. */
const MAX_PENDING = 65_536;

/**
 * A protocol in which each side sends lines. A server sends every line back in capitals, "pieces" as two pieces, and
 * says "bye" and closes after "quit". It also closes a connection on which no line has come for `idleMs`. A client
 * collects the lines.
 */
export class LineMachine implements Machine {
  readonly lines: string[] = [];
  readonly pauses: boolean[] = [];
  error: Error | null = null;
  closed = false;
  expired = 0;
  private outlet: Outlet | null = null;
  private partial = "";
  private pending: Uint8Array[] = [];
  private pendingBytes = 0;
  private paused = false;

  constructor(
    private readonly role: "client" | "server",
    private readonly idleMs = Infinity,
  ) {}

  attach(outlet: Outlet): void {
    this.outlet = outlet;
    outlet.onDeadline(this.idleMs);
  }

  receive(bytes: Uint8Array, from: number, to: number): void {
    if (this.closed) return;
    let start = from;
    for (let at = bytes.indexOf(NEWLINE, start); at >= 0 && at < to; at = bytes.indexOf(NEWLINE, start)) {
      const line = this.partial + new TextDecoder().decode(bytes.slice(start, at));
      this.partial = "";
      start = at + 1;
      this.onLine(line);
    }
    if (start < to) this.partial += new TextDecoder().decode(bytes.slice(start, to));
  }

  end(reason?: Error): void {
    if (this.closed) return;
    this.closed = true;
    this.error = reason ?? null;
    this.outlet?.onFinished();
  }

  take(): OutputChunk | null {
    const { pending } = this;
    if (pending.length === 0) return null;
    this.pending = [];
    this.pendingBytes = 0;
    this.pause(false);
    return pending.length === 1 ? pending[0]! : pending;
  }

  recycle(): void {
    // Output is not used again.
  }

  expire(): void {
    this.expired += 1;
    this.end(new Error("idle"));
  }

  /** Sends one line. */
  send(line: string): void {
    this.write(new TextEncoder().encode(`${line}\n`));
  }

  private write(bytes: Uint8Array): void {
    if (this.pending.length === 0) this.outlet?.onOutput();
    this.pending.push(bytes);
    this.pendingBytes += bytes.length;
    if (this.pendingBytes > MAX_PENDING) this.pause(true);
  }

  private pause(paused: boolean): void {
    if (paused === this.paused) return;
    this.paused = paused;
    this.pauses.push(paused);
    this.outlet?.onPause(paused);
  }

  private onLine(line: string): void {
    this.lines.push(line);
    if (this.role === "client") return;
    this.outlet?.onDeadline(this.idleMs);
    if (line === "pieces") {
      this.write(NOTHING);
      this.send("PIECES");
    } else if (line === "quit") {
      this.send("bye");
      this.end();
    } else this.send(line.toUpperCase());
  }
}
