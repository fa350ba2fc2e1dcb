import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { test } from "node:test";
import { LazyEmitter } from "../../src/grpc/lazy-emitter.js";

class Lazy extends LazyEmitter {}

test("an emitter without a table of listeners is an emitter in every way", () => {
  const heard: unknown[] = [];
  const hear = (value: unknown): void => void heard.push(value);
  const untouched = new Lazy();
  assert.ok(untouched instanceof EventEmitter);
  assert.equal(untouched.emit("x", 1), false);
  assert.equal(untouched.listenerCount("x"), 0);
  assert.deepEqual([untouched.eventNames(), untouched.listeners("x"), untouched.rawListeners("x")], [[], [], []]);
  assert.equal(untouched.getMaxListeners(), EventEmitter.defaultMaxListeners);
  untouched.removeListener("x", hear).removeAllListeners().removeAllListeners("x").setMaxListeners(3);
  assert.throws(() => untouched.emit("error", new Error("unheard")), /unheard/);

  const used = new Lazy();
  used.once("x", hear).on("x", hear).prependListener("y", hear);
  assert.deepEqual(used.eventNames(), ["x", "y"]);
  assert.ok(used.emit("x", 1));
  assert.ok(used.emit("x", 2));
  used.off("x", hear);
  assert.equal(used.emit("x", 3), false);
  assert.deepEqual(heard, [1, 1, 2]);
  assert.equal(new Lazy().listenerCount("x"), 0, "nothing is shared");
});
