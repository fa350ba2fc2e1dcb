// What is measured: a shape of the reference data, or a value of the user's own. Node and browsers.

import { make } from "./reference.mjs";

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const INTEGER = /^-?\d+$/;
const MARK = "\u0000integer";

/** JSON with integers that a number cannot hold exactly as BigInt: every peer is given the value that stands in the file. */
export function exact(text) {
  let marked = 0;
  const safe = text.replace(TOKEN, (token) => {
    if (token.length < 16 || !INTEGER.test(token) || Number.isSafeInteger(Number(token))) return token;
    marked++;
    return `{${JSON.stringify(MARK)}:"${token}"}`;
  });
  return marked === 0 ? JSON.parse(text) : JSON.parse(safe, (_, item) => (item?.[MARK] === undefined ? item : BigInt(item[MARK])));
}

/**
 * A workload: `name` and `value`; of the user's own data also the `schema`'s text and the value as Samewire's `message`.
 * `own` names the three files, `read` returns the bytes of one.
 */
export async function workload(shape, own, read) {
  if (!own) return { name: shape, value: make(shape) };
  const [value, schema, message] = await Promise.all([own.data, own.schema, own.message].map(read));
  const text = new TextDecoder();
  return { name: "data", own: true, value: exact(text.decode(value)), schema: text.decode(schema), message };
}
