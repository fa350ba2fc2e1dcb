import assert from "node:assert/strict";
import { test } from "node:test";
import { limits } from "../../src/core/index.js";

test("rejects unknown limits", () => {
  for (const changes of [{ constructor: 1 }, { toString: 1 }, JSON.parse('{"__proto__": 1}') as object]) {
    assert.throws(() => limits(changes), { code: "misuse" });
  }
});
