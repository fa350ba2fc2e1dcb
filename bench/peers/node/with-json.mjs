// JSON text as UTF-8: the incumbent.

const text = new TextEncoder();
const bytes = new TextDecoder();

function prepare({ name }) {
  return {
    adapt: name === "map" ? Object.fromEntries : undefined,
    encode: (value) => text.encode(JSON.stringify(value)),
    decode: (data) => JSON.parse(bytes.decode(data)),
  };
}

export const rows = {
  json: { prepare, kind: "dynamic", checks: "syntax; bad UTF-8 is replaced", trusted: false, own: true, browser: true },
};
