/** The algorithms of grpc-js's `compressionAlgorithms`. */
export enum CompressionAlgorithms {
  identity = 0,
  deflate = 1,
  gzip = 2,
}

/** `decompress` throws it, or rejects with it, if the result is longer than the limit. */
export class DecompressedTooLong extends Error {
  constructor(limit: number) {
    super(`the message is longer than ${limit} bytes when decompressed`);
    this.name = "DecompressedTooLong";
  }
}

/** Begins work of another thread, now or later. */
export type Schedule = (work: () => Promise<Buffer>) => Promise<Buffer>;

/**
 * One message encoding. For long messages it returns a promise, so that the event loop is not blocked.
 * Results are bytes of their own.
 */
export interface MessageEncoding {
  readonly name: string;
  compress(message: Uint8Array): Buffer | Promise<Buffer>;
  /**
   * What becomes long is decompressed on another thread, however short it is: a thousandth of it may be enough.
   *
   * @param limit bytes of the longest result
   * @param schedule begins the work on the other thread; default: at once
   * @throws DecompressedTooLong, or any other error for bytes that are not such a stream
   */
  decompress(message: Uint8Array, limit: number, schedule?: Schedule): Buffer | Promise<Buffer>;
}

/** The encodings that one side supports beside `identity`, by name. */
export type Encodings = ReadonlyMap<string, MessageEncoding>;

/** The value of `grpc-accept-encoding` for these encodings. */
export function acceptEncoding(encodings: Encodings): string {
  return ["identity", ...encodings.keys()].join(",");
}

/** Returns the first of `wanted` that the peer's `grpc-accept-encoding` names, or `identity`, as without that field. */
export function chooseEncoding(accepted: string | undefined, wanted: readonly string[]): string {
  if (accepted === undefined) return "identity";
  const names = accepted.split(",").map((name) => name.trim());
  return wanted.find((name) => names.includes(name)) ?? "identity";
}
