import assert from "node:assert/strict";
import { test } from "node:test";
import { MB, attack, honest, victim } from "./scene.js";

/* Attacks over sockets: victim and attacker are processes of their own, and an honest client calls meanwhile. */

test("connections that come and go by the thousand leave no memory behind", async (context) => {
  const target = await victim(context);
  const churn = attack(context, "churn", target);
  const { calls, failures } = await honest(target, churn);
  const { peak } = await target.health();
  assert.ok((await churn) > 500, `${await churn} connections`);
  assert.ok(MB(peak) <= 120, `${MB(peak)} MB`);
  assert.ok(failures.length <= calls / 100, `${failures.length} of ${calls} calls failed: ${failures[0]?.message}`);
});

test("short messages that decompress to long ones leave time for honest calls", async (context) => {
  const target = await victim(context);
  const bombs = attack(context, "bombs", target);
  const { calls, failures, slowest } = await honest(target, bombs);
  context.diagnostic(`${await bombs} bombs, ${calls} calls, slowest ${Math.round(slowest)} ms`);
  assert.ok(calls > 20, `${calls} calls`);
  assert.ok(failures.length <= calls / 100, `${failures.length} of ${calls} calls failed: ${failures[0]?.message}`);
});
