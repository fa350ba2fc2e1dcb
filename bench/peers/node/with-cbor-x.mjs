// cbor-x with shared record structures, kept by one Encoder.

import { Encoder } from "cbor-x";

function prepare() {
  const encoder = new Encoder({ structures: [], useRecords: true });
  return { encode: (value) => encoder.encode(value), decode: (data) => encoder.decode(data), input: native };
}

/** A Buffer in Node, which cbor-x reads faster than a plain Uint8Array. */
const native = (data) => (typeof Buffer === "undefined" ? data : Buffer.from(data));

export const rows = {
  "cbor-x": { prepare, package: "cbor-x", kind: "dynamic", checks: "bounds", trusted: false, own: true, browser: true },
};
