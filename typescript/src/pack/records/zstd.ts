import { SamewireError } from "../../core/error.js";

/**
 * zstd for blocks of records. Node's `zlib` has it from 22.15 on, browsers have none:
 *
 * ```ts
 * const zstd = { compress: zlib.zstdCompressSync, expand: (data, size) => zlib.zstdDecompressSync(data, { maxOutputLength: size }) };
 * ```
 */
export interface Zstd {
  /** Returns one frame, which states the size of its content. */
  readonly compress: (data: Uint8Array) => Uint8Array;
  /** Returns the content of one frame. Must throw rather than return more than `size` bytes. */
  readonly expand: (data: Uint8Array, size: number) => Uint8Array;
}

/** The error for a file that needs zstd without the option. */
export function noZstd(at: number): SamewireError {
  return new SamewireError("unsupported", "this block is compressed: pass the option zstd, say with Node's zstdDecompressSync (22.15 or newer)", { at });
}
