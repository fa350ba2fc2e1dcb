/** The error codes of RFC 9113 section 7. A peer may send others; they are carried as they are. */
export const ErrorCode = {
  NO_ERROR: 0x0,
  PROTOCOL_ERROR: 0x1,
  INTERNAL_ERROR: 0x2,
  FLOW_CONTROL_ERROR: 0x3,
  SETTINGS_TIMEOUT: 0x4,
  STREAM_CLOSED: 0x5,
  FRAME_SIZE_ERROR: 0x6,
  REFUSED_STREAM: 0x7,
  CANCEL: 0x8,
  COMPRESSION_ERROR: 0x9,
  CONNECT_ERROR: 0xa,
  ENHANCE_YOUR_CALM: 0xb,
  INADEQUATE_SECURITY: 0xc,
  HTTP_1_1_REQUIRED: 0xd,
} as const;

/** An error code on the wire: 32 bits, usually one of the named ones. */
export type ErrorCode = number;

const NAMES = new Map<number, string>(Object.entries(ErrorCode).map(([name, code]) => [code, name]));

/** `PROTOCOL_ERROR`, or the number in hexadecimal when it has no name. */
export function errorName(code: ErrorCode): string {
  return NAMES.get(code) ?? `0x${code.toString(16)}`;
}
