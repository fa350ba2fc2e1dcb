import { deflate, deflateSync, gunzip, gunzipSync, gzip, gzipSync, inflate, inflateSync } from "node:zlib";
import type { InputType, ZlibOptions } from "node:zlib";
import { DecompressedTooLong } from "../protocol/compression.js";
import type { Encodings, MessageEncoding, Schedule } from "../protocol/compression.js";

/** Inputs up to this many bytes are handled on this thread: below, passing them to another costs more. */
const ON_THREAD = 65_536;

/**
 * Results up to this many bytes too. A message that turns out longer is begun again on another thread: what it cost
 * here is 0.1 ms at most, where 4 KB that become 4 MB took 10.
 */
const ON_THREAD_RESULT = 65_536;

/** Bytes that the other thread gives at a time: each piece costs a turn of this one. */
const PIECE = 262_144;

const atOnce: Schedule = (work) => work();

type Sync = (bytes: InputType, options?: ZlibOptions) => Buffer;
type Async = (bytes: InputType, options: ZlibOptions, done: (error: Error | null, result: Buffer) => void) => void;

function isTooLong(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
}

/** Converts what zlib throws for a result beyond `maxOutputLength`. */
function judged(error: unknown, limit: number): Error {
  if (isTooLong(error)) return new DecompressedTooLong(limit);
  return error instanceof Error ? error : new Error(String(error));
}

function encoding(name: string, pack: Sync, packLong: Async, unpack: Sync, unpackLong: Async): MessageEncoding {
  return {
    name,
    compress(message) {
      if (message.length <= ON_THREAD) return pack(message);
      return new Promise((resolve, reject) => {
        packLong(message, {}, (error, result) => {
          if (error === null) resolve(result);
          else reject(error);
        });
      });
    },
    decompress(message, limit, schedule = atOnce) {
      // zlib takes no limit of 0; one byte too many is caught by its length.
      const most = Math.max(limit, 1);
      if (message.length <= ON_THREAD) {
        try {
          return fitting(unpack(message, { maxOutputLength: Math.min(most, ON_THREAD_RESULT) }), limit);
        } catch (error) {
          if (!isTooLong(error) || most <= ON_THREAD_RESULT) throw judged(error, limit);
        }
      }
      return schedule(
        () =>
          new Promise((resolve, reject) => {
            unpackLong(message, { maxOutputLength: most, chunkSize: PIECE }, (error, result) => {
              if (error !== null) reject(judged(error, limit));
              else if (result.length > limit) reject(new DecompressedTooLong(limit));
              else resolve(result);
            });
          }),
      );
    },
  };
}

function fitting(result: Buffer, limit: number): Buffer {
  if (result.length > limit) throw new DecompressedTooLong(limit);
  return result;
}

/** The encodings of grpc-js: `deflate` (a zlib stream, RFC 1950) and `gzip`. */
export const zlibEncodings: Encodings = new Map(
  [encoding("deflate", deflateSync, deflate, inflateSync, inflate), encoding("gzip", gzipSync, gzip, gunzipSync, gunzip)].map((each) => [
    each.name,
    each,
  ]),
);
