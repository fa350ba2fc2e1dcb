// cbor-x with shared record structures, kept by one Encoder.

import { Encoder } from "cbor-x";

export function records() {
  const encoder = new Encoder({ structures: [], useRecords: true });
  return {
    version: "1.6.8",
    encode: (value) => encoder.encode(value),
    decode: (data) => encoder.decode(data),
    input: (data) => Buffer.from(data),
  };
}
