const HEX = "0123456789ABCDEF";
const encoder = new TextEncoder();
/** A byte order mark is a character of the text like others. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Printable ASCII but `%` stands for itself (gRPC over HTTP/2, "Percent-Encoded"). */
function plain(byte: number): boolean {
  return byte >= 0x20 && byte <= 0x7e && byte !== 0x25;
}

/**
 * Returns a status message as the value of a `grpc-message` field: UTF-8, with %XX for all but printable ASCII. Lone
 * surrogates become U+FFFD.
 */
export function percentEncode(text: string): string {
  let at = 0;
  while (at < text.length && plain(text.charCodeAt(at))) at += 1;
  if (at === text.length) return text;
  let out = text.slice(0, at);
  for (const byte of encoder.encode(text.slice(at))) {
    out += plain(byte) ? String.fromCharCode(byte) : `%${HEX[byte >> 4]!}${HEX[byte & 15]!}`;
  }
  return out;
}

function nibble(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  const letter = code | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1;
}

/**
 * Returns the text of a `grpc-message` field. Never fails: an invalid escape stays as it is, invalid UTF-8 becomes
 * U+FFFD.
 */
export function percentDecode(value: string): string {
  const first = value.indexOf("%");
  if (first < 0) return value;
  const bytes = new Uint8Array(value.length * 3);
  let length = 0;
  for (let at = 0; at < value.length; at += 1) {
    const code = value.charCodeAt(at);
    if (code === 0x25) {
      const high = nibble(value.charCodeAt(at + 1));
      const low = nibble(value.charCodeAt(at + 2));
      if (high >= 0 && low >= 0) {
        bytes[length] = (high << 4) | low;
        length += 1;
        at += 2;
        continue;
      }
    }
    if (code < 0x80) {
      bytes[length] = code;
      length += 1;
    } else {
      length += encoder.encodeInto(value[at]!, bytes.subarray(length)).written;
    }
  }
  return decoder.decode(bytes.subarray(0, length));
}
