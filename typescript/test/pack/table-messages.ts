import * as pack from "../../src/pack/index.js";

/** The codec of a table with one field of a type; without generated code, which takes longer to compile than to run. */
export function tableOf(type: pack.Type, options: pack.CodecOptions = {}): pack.TableCodec<{ v: unknown }> {
  return pack.tableCodec(pack.list(pack.struct("TableRow", { v: type })), { eval: false, ...options });
}

/** Tables whose rows have these values in turn: of each number of rows, in rows and in columns. */
export function tables(type: pack.Type, values: readonly unknown[], counts: readonly number[]): Uint8Array[] {
  return (["fast", "compact"] as const).flatMap((profile) => {
    const codec = tableOf(type, { profile });
    return counts.map((length) => codec.encode(Array.from({ length }, (_, i) => ({ v: values[i % values.length] }))));
  });
}

/** The result of an attempt: the value, or the code, offset and path of the error. */
export function outcome(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    if (error instanceof pack.SamewireError) return `${error.code} ${String(error.at)} ${String(error.path)}`;
    throw error;
  }
}
