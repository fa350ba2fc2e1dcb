const GZIP = [0x1f, 0x8b];
const ZSTD = [0x28, 0xb5, 0x2f, 0xfd];
const JAVA = [0xac, 0xed, 0x00, 0x05];
const RECORDS = [0x89, 0x53, 0x57, 0x52];

/** Adds to an error text the other format that the bytes seem to be in: programs often pass those by mistake. */
export function told(text: string, bytes: Uint8Array): string {
  const format = foreign(bytes);
  return format === undefined ? text : `${text}; the bytes look like ${format}`;
}

/** The other format that a stream seems to be in by its first bytes alone. */
export function beginsLike(start: Uint8Array): string | undefined {
  if (begins(start, GZIP)) return "gzip: decompress it first";
  if (begins(start, ZSTD)) return "zstd: decompress it first";
  let first = 0;
  while (first < start.length && isSpace(start[first]!)) first++;
  if (start[first] === 0x7b || start[first] === 0x5b) return "JSON";
  return start[first] === 0x3c ? "XML or HTML" : undefined;
}

function foreign(bytes: Uint8Array): string | undefined {
  if (begins(bytes, GZIP)) return "gzip: decompress them first";
  if (begins(bytes, ZSTD)) return "zstd: decompress them first";
  if (begins(bytes, RECORDS)) return "a record file: read it with readRecords or RecordFile";
  if (begins(bytes, JAVA)) return "a serialized object of Java (ObjectOutputStream)";
  // Versions 13 to 15.
  if (bytes[0] === 0xff && bytes[1]! >= 13 && bytes[1]! <= 15) return "a serialized value of Node (v8.serialize)";
  if (bytes[0] === 0x80 && bytes[1]! <= 5 && bytes.at(-1) === 0x2e) return "a pickle of Python";
  if (isMessagePack(bytes)) return "MessagePack";
  let first = 0;
  let last = bytes.length - 1;
  while (first < last && isSpace(bytes[first]!)) first++;
  while (first < last && isSpace(bytes[last]!)) last--;
  if (first >= last) return undefined;
  const ends = String.fromCharCode(bytes[first]!, bytes[last]!);
  // Bytes that only begin and end like JSON hold control characters.
  if ((ends === "{}" || ends === "[]") && bytes.subarray(first, last).every((byte) => byte >= 0x20 || isSpace(byte))) return "JSON";
  return ends === "<>" ? "XML or HTML" : undefined;
}

/** A shorter array or map of MessagePack cannot be distinguished from random bytes. */
const LEAST_MESSAGE_PACK = 4;
/** Of each tag from C0 to DF: the bytes behind it, and how many of them are a length, a count, or twice a count. */
const FIXED = [0, -1, 0, 0, 1, 2, 4, 2, 3, 5, 4, 8, 1, 2, 4, 8, 1, 2, 4, 8, 2, 3, 5, 9, 17, 1, 2, 4, 2, 4, 2, 4];
const LENGTHS = [0, 0, 0, 0, 1, 2, 4, 1, 2, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 0, 0, 0, 0];

/** Whether the bytes are one array or map of MessagePack, to the last one. */
function isMessagePack(bytes: Uint8Array): boolean {
  const first = bytes[0]!;
  if (bytes.length < LEAST_MESSAGE_PACK || !((first >= 0x80 && first < 0xa0) || (first >= 0xdc && first < 0xe0))) return false;
  let at = 0;
  // Every value takes a byte at least.
  let values = 1;
  while (values > 0 && values <= bytes.length - at) {
    const tag = bytes[at++]!;
    values--;
    if (tag >= 0x80 && tag < 0x90) values += 2 * (tag & 15);
    else if (tag >= 0x90 && tag < 0xa0) values += tag & 15;
    else if (tag >= 0xa0 && tag < 0xc0) at += tag & 31;
    else if (tag >= 0xc0 && tag < 0xe0) {
      const fixed = FIXED[tag - 0xc0]!;
      if (fixed < 0 || at + fixed > bytes.length) return false;
      if (tag >= 0xdc) values += number(bytes, at, fixed) * (tag >= 0xde ? 2 : 1);
      else at += number(bytes, at, LENGTHS[tag - 0xc0]!);
      at += fixed;
    }
  }
  return values === 0 && at === bytes.length;
}

/** A number of so many bytes, the most significant first. */
function number(bytes: Uint8Array, at: number, size: number): number {
  let value = 0;
  for (let i = 0; i < size; i++) value = 256 * value + bytes[at + i]!;
  return value;
}

function begins(bytes: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((byte, i) => bytes[i] === byte);
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
