/** Frame types of RFC 9113 section 6. Others are ignored on receipt. */
export const FrameType = {
  DATA: 0x0,
  HEADERS: 0x1,
  PRIORITY: 0x2,
  RST_STREAM: 0x3,
  SETTINGS: 0x4,
  PUSH_PROMISE: 0x5,
  PING: 0x6,
  GOAWAY: 0x7,
  WINDOW_UPDATE: 0x8,
  CONTINUATION: 0x9,
} as const;

/** Flags. The meaning of a bit depends on the frame type. */
export const Flag = { END_STREAM: 0x1, ACK: 0x1, END_HEADERS: 0x4, PADDED: 0x8, PRIORITY: 0x20 } as const;

/** Bytes of the head of every frame (RFC 9113 section 4.1): length 24, type 8, flags 8, reserved 1, stream 31. */
export const HEAD_BYTES = 9;

/** Greatest stream id, window and increment. */
export const MAX_31_BITS = 0x7fff_ffff;

/** A part of a frame's payload; one object is reused for all. */
export interface Span {
  from: number;
  to: number;
}

/** 24 bits, big endian: the length of a frame. */
export function readLength(bytes: Uint8Array, at: number): number {
  return (bytes[at]! << 16) | (bytes[at + 1]! << 8) | bytes[at + 2]!;
}

/** 32 bits, big endian. */
export function readU32(bytes: Uint8Array, at: number): number {
  return ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0;
}

/** 31 bits, big endian, the reserved bit above them ignored: stream ids and increments. */
export function readU31(bytes: Uint8Array, at: number): number {
  return ((bytes[at]! & 0x7f) << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
}

/** Writes 32 bits, big endian; returns the offset after them. */
export function writeU32(value: number, out: Uint8Array, at: number): number {
  out[at] = value >>> 24;
  out[at + 1] = value >>> 16;
  out[at + 2] = value >>> 8;
  out[at + 3] = value;
  return at + 4;
}

/** Writes a frame's head; returns the offset of its payload. */
export function writeHead(length: number, type: number, flags: number, stream: number, out: Uint8Array, at: number): number {
  out[at] = length >>> 16;
  out[at + 1] = length >>> 8;
  out[at + 2] = length;
  out[at + 3] = type;
  out[at + 4] = flags;
  return writeU32(stream, out, at + 5);
}
