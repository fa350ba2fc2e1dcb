// JSON text as UTF-8: the incumbent.

const text = new TextEncoder();
const bytes = new TextDecoder();

export function prepare(shape) {
  return {
    version: "built in",
    adapt: shape === "map" ? Object.fromEntries : undefined,
    encode: (value) => text.encode(JSON.stringify(value)),
    decode: (data) => JSON.parse(bytes.decode(data)),
  };
}
