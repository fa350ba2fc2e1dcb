import { ErrorCode } from "../error-code.js";
import { Flag, FrameType, HEAD_BYTES, MAX_31_BITS, readU32, writeHead, writeU32 } from "./head.js";

/** Parameters of RFC 9113 section 6.5.2 by their number. Others are ignored. */
export const Setting = {
  HEADER_TABLE_SIZE: 0x1,
  ENABLE_PUSH: 0x2,
  MAX_CONCURRENT_STREAMS: 0x3,
  INITIAL_WINDOW_SIZE: 0x4,
  MAX_FRAME_SIZE: 0x5,
  MAX_HEADER_LIST_SIZE: 0x6,
  /**
   * An extension (section 5.5) between two sides that both announce it: DATA may be longer than MAX_FRAME_SIZE. Value:
   * `longData`.
   */
  LONG_DATA: 0xf5da,
} as const;

/** The upper eight bits of LONG_DATA's value, in case others use the same parameter; the lower 24 are a length. */
const LONG_DATA_MARK = 0x53;

/** The value of LONG_DATA for payloads of at most so many bytes. */
export function longData(most: number): number {
  return LONG_DATA_MARK * 2 ** 24 + most;
}

/** Bytes of one parameter: number 16, value 32. */
export const SETTING_BYTES = 6;

/** Least and initial MAX_FRAME_SIZE. */
export const MIN_MAX_FRAME = 16_384;

/** Greatest MAX_FRAME_SIZE. */
export const MAX_MAX_FRAME = 16_777_215;

/** Initial INITIAL_WINDOW_SIZE, and the connection's window, which SETTINGS cannot change. */
export const INITIAL_WINDOW = 65_535;

/** One side's settings so far; the RFC's initial values before its first SETTINGS. */
export interface SettingsRecord {
  headerTableBytes: number;
  push: boolean;
  maxConcurrentStreams: number;
  streamWindowBytes: number;
  maxFrameBytes: number;
  maxHeaderListBytes: number;
  /** Of DATA, when it has announced LONG_DATA; else 0. */
  longDataBytes: number;
}

/** The initial values of RFC 9113 section 6.5.2. */
export function initialSettings(): SettingsRecord {
  return {
    headerTableBytes: 4_096,
    push: true,
    maxConcurrentStreams: 0xffff_ffff,
    streamWindowBytes: INITIAL_WINDOW,
    maxFrameBytes: MIN_MAX_FRAME,
    maxHeaderListBytes: 0xffff_ffff,
    longDataBytes: 0,
  };
}

/**
 * Applies the parameters of a payload in their order.
 *
 * @returns NO_ERROR, or the code that a forbidden value asks for (RFC 9113 section 6.5.2)
 */
export function readSettings(bytes: Uint8Array, from: number, to: number, into: SettingsRecord): ErrorCode {
  for (let at = from; at < to; at += SETTING_BYTES) {
    const value = readU32(bytes, at + 2);
    switch ((bytes[at]! << 8) | bytes[at + 1]!) {
      case Setting.HEADER_TABLE_SIZE:
        into.headerTableBytes = value;
        break;
      case Setting.ENABLE_PUSH:
        if (value > 1) return ErrorCode.PROTOCOL_ERROR;
        into.push = value === 1;
        break;
      case Setting.MAX_CONCURRENT_STREAMS:
        into.maxConcurrentStreams = value;
        break;
      case Setting.INITIAL_WINDOW_SIZE:
        if (value > MAX_31_BITS) return ErrorCode.FLOW_CONTROL_ERROR;
        into.streamWindowBytes = value;
        break;
      case Setting.MAX_FRAME_SIZE:
        if (value < MIN_MAX_FRAME || value > MAX_MAX_FRAME) return ErrorCode.PROTOCOL_ERROR;
        into.maxFrameBytes = value;
        break;
      case Setting.MAX_HEADER_LIST_SIZE:
        into.maxHeaderListBytes = value;
        break;
      case Setting.LONG_DATA:
        if (value >>> 24 === LONG_DATA_MARK) into.longDataBytes = value & MAX_MAX_FRAME;
        break;
      default:
    }
  }
  return ErrorCode.NO_ERROR;
}

/** Bytes of a SETTINGS frame with so many parameters. */
export function settingsFrameBytes(count: number): number {
  return HEAD_BYTES + count * SETTING_BYTES;
}

/** Writes a SETTINGS frame; returns the offset after it. */
export function writeSettings(settings: readonly (readonly [setting: number, value: number])[], out: Uint8Array, at: number): number {
  at = writeHead(settings.length * SETTING_BYTES, FrameType.SETTINGS, 0, 0, out, at);
  for (const [setting, value] of settings) {
    out[at] = setting >>> 8;
    out[at + 1] = setting;
    at = writeU32(value, out, at + 2);
  }
  return at;
}

/** Writes the acknowledgement; returns the offset after it. */
export function writeSettingsAck(out: Uint8Array, at: number): number {
  return writeHead(0, FrameType.SETTINGS, Flag.ACK, 0, out, at);
}
