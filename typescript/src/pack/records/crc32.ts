/** The CRC-32 of zlib and PNG (`spec/records.md` section 1). Node's own is newer than the Node that we support. */

const TABLE = new Uint32Array(256);
for (let byte = 0; byte < 256; byte++) {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  TABLE[byte] = crc;
}

/** Returns the checksum of some bytes; `before` is that of the bytes in front of them. */
export function crc32(bytes: Uint8Array, before = 0): number {
  let crc = ~before;
  for (let i = 0; i < bytes.length; i++) crc = (crc >>> 8) ^ TABLE[(crc ^ bytes[i]!) & 255]!;
  return ~crc >>> 0;
}
