import { HeaderFields } from "../http2/header-fields.js";
import type { Stream } from "../http2/stream.js";

/** A plain HTTP response to a request that is not gRPC: for browsers, probes and misconfigured clients. */
export interface HttpAnswer {
  readonly head: HeaderFields;
  readonly body: Uint8Array;
}

function answer(status: string, text: string, ...more: [string, string][]): HttpAnswer {
  const body = new TextEncoder().encode(`${text}\n`);
  const plain: [string, string][] = [["content-type", "text/plain; charset=utf-8"], ["content-length", String(body.length)]];
  return { head: new HeaderFields([[":status", status], ...more, ...plain]), body };
}

/** For another content type (gRPC over HTTP/2, "Requests"). */
export const NOT_GRPC = answer("415", "This server speaks gRPC: the content type must be application/grpc");
/** For another method than POST. */
export const NOT_POST = answer("405", "This server speaks gRPC: the method must be POST", ["allow", "POST"]);

/**
 * A request that is refused once it has ended. Until then its body is read and dropped, so that its frames are checked
 * like those of any other request, and the stream need not be reset.
 */
export class HttpRefusal {
  readonly #stream: Stream;
  readonly #answer: HttpAnswer;

  constructor(stream: Stream, answer: HttpAnswer) {
    this.#stream = stream;
    this.#answer = answer;
  }

  onData(_bytes: Uint8Array, from: number, to: number, end: boolean): void {
    this.#stream.consume(to - from);
    if (end) this.onHalfClose();
  }

  onHalfClose(): void {
    this.#stream.headers(this.#answer.head, false);
    this.#stream.data(this.#answer.body, true);
  }

  onReset(): void {
    // Nothing was begun.
  }

  onWritable(): void {
    // The body is queued as a whole.
  }
}
