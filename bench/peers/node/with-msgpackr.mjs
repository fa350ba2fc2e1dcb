// msgpackr with shared record structures, kept by one Packr; "bundle" also gathers the strings of a message.

import { Packr } from "msgpackr";

const set = (options) => ({ own = false }) => {
  const packr = new Packr({ structures: [], useBigIntExtension: own, ...options });
  return { encode: (value) => packr.pack(value), decode: (data) => packr.unpack(data), input: native };
};

/** A Buffer in Node, which msgpackr reads faster than a plain Uint8Array. */
const native = (data) => (typeof Buffer === "undefined" ? data : Buffer.from(data));

const row = (options) => ({
  prepare: set(options),
  ...{ package: "msgpackr", kind: "dynamic", checks: "bounds", trusted: false, own: true, browser: true },
});

export const rows = { "msgpackr-records": row({}), "msgpackr-bundle": row({ bundleStrings: true }) };
