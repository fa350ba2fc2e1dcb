import assert from "node:assert/strict";
import { test } from "node:test";
import * as pack from "../../src/pack/index.js";

/** Signalling NaNs, whose bits a number that passes through a register does not keep; and a quiet one with a payload. */
const SINGLES = [0x7f800001, 0xffa00001, 0x7fc12345, 0x3f800000];
const DOUBLES = [0x7ff0000000000001n, 0xfff4000000000001n, 0x7ff8000012345678n, 0x3ff0000000000000n];

for (const [evaluate, way] of [[true, "generated code"], [false, "closures"]] as const) {
  for (const profile of ["compact", "fast"] as const) {
    for (const count of [1, 3, 4, 15, 16, 40, 200]) {
      test(`keeps the bits of NaN in arrays of ${count} floats: ${profile}, ${way}`, () => {
        const singles = new Float32Array(Uint32Array.from({ length: count }, (_, i) => SINGLES[i % 4]!).buffer);
        const doubles = new Float64Array(BigUint64Array.from({ length: count }, (_, i) => DOUBLES[i % 4]!).buffer);
        const codec = pack.codec(pack.struct("Both", { s: pack.array(pack.f32), d: pack.array(pack.f64) }), { eval: evaluate, profile });
        const { s, d } = codec.decode(codec.encode({ s: singles, d: doubles }));
        assert.deepEqual(new Uint32Array(s.slice().buffer), new Uint32Array(singles.buffer));
        assert.deepEqual(new BigUint64Array(d.slice().buffer), new BigUint64Array(doubles.buffer));
      });
    }
  }
}
