// msgpackr with shared record structures, kept by one Packr; "bundle" also gathers the strings of a message.

import { Packr } from "msgpackr";

const set = (options) => () => {
  const packr = new Packr({ structures: [], ...options });
  return { version: "2.1.3", encode: (value) => packr.pack(value), decode: (data) => packr.unpack(data), input: native };
};

/** A Buffer in Node, which msgpackr reads faster than a plain Uint8Array. */
const native = (data) => (typeof Buffer === "undefined" ? data : Buffer.from(data));

export const records = set({});
export const bundle = set({ bundleStrings: true });
