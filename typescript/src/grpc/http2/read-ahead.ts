import { FrameType, HEAD_BYTES, readLength, readU31 } from "./frame/head.js";
import { RST_STREAM_BYTES } from "./frame/rst-stream.js";

const NOTHING = new Uint8Array(0);

/**
 * Looks ahead in what the socket gave at once: which streams does it reset? The heads of its frames are read once more,
 * when a stream is opened first.
 */
export class ReadAhead {
  private bytes: Uint8Array = NOTHING;
  private from = 0;
  private to = 0;
  private scanned = true;
  private ids: Set<number> | null = null;

  /** `bytes[from, to)` begins with the head of a frame; valid until `end`. */
  begin(bytes: Uint8Array, from: number, to: number): void {
    this.bytes = bytes;
    this.from = from;
    this.to = to;
    this.scanned = false;
  }

  /** The read is over. */
  end(): void {
    // A chunk of TLS would live as long as its connection.
    this.bytes = NOTHING;
    this.scanned = true;
    this.ids = null;
  }

  /** Whether a whole RST_STREAM of the stream is among the bytes. */
  resets(id: number): boolean {
    if (!this.scanned) this.scan();
    return this.ids !== null && this.ids.has(id);
  }

  private scan(): void {
    const { bytes, to } = this;
    this.scanned = true;
    let at = this.from;
    while (to - at >= HEAD_BYTES) {
      const length = readLength(bytes, at);
      const end = at + HEAD_BYTES + length;
      if (end > to) return;
      if (bytes[at + 3] === FrameType.RST_STREAM && length === RST_STREAM_BYTES) (this.ids ??= new Set()).add(readU31(bytes, at + 5));
      at = end;
    }
  }
}
