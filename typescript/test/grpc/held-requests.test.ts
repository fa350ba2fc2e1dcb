import assert from "node:assert/strict";
import { test } from "node:test";
import { credentials, makeClientConstructor } from "../../src/grpc/index.js";
import { QueueBudget } from "../../src/grpc/http2/queue-budget.js";
import { HeldRequests, type RequestHolder } from "../../src/grpc/server/held-requests.js";
import { notes, serve } from "./serving.js";
import type { Note } from "./serving.js";

/** A connection of calls, and a time that the test sets. */
class Client {
  readonly calls: Call[] = [];
  readonly requests: HeldRequests;

  constructor(budget: QueueBudget, most: number) {
    this.requests = new HeldRequests(budget, most, () => this.calls);
  }

  call(bytes: number): Call {
    const call = new Call(this);
    this.calls.push(call);
    call.hold(bytes);
    return call;
  }
}

class Call implements RequestHolder {
  held = 0;
  ended = false;

  constructor(private readonly client: Client) {}

  hold(bytes: number): void {
    this.held += bytes;
    this.client.requests.change(this, bytes);
  }

  resumed = 0;

  resume(): void {
    this.resumed += 1;
  }

  giveUp(): void {
    this.ended = true;
    this.hold(-this.held);
  }
}

function budgetOf(most: number): { budget: QueueBudget; at: (time: number) => void; relieve: () => void } {
  let now = 0;
  let due: (() => void) | null = null;
  return {
    budget: new QueueBudget(most, () => now, (relieve) => { due = relieve; }),
    at: (time) => { now = time; },
    relieve: () => { due?.(); },
  };
}

test("the call that takes a connection over its bound ends, and no other", () => {
  const { budget } = budgetOf(1e9);
  const client = new Client(budget, 100_000);
  const [first, second] = [client.call(60_000), client.call(30_000)];
  second.hold(20_000);
  assert.deepEqual([first.ended, second.ended, client.requests.queuedBytes], [false, true, 60_000]);
});

test("beyond the server's bound the client that has sent nothing for longest loses its calls", () => {
  const { budget, at, relieve } = budgetOf(200_000);
  const stale = new Client(budget, 1e9);
  const going = new Client(budget, 1e9);
  const little = new Client(budget, 1e9).call(10);
  const [old, other] = [stale.call(50_000), stale.call(30_000)];
  at(1_000);
  const upload = going.call(100_000);
  at(2_000);
  // Less than what counts as progress.
  old.hold(10);
  upload.hold(30_000);
  relieve();
  assert.deepEqual([old.ended, other.ended, upload.ended, little.ended], [true, true, false, false]);
  assert.equal(budget.bytes, 130_010);
});

test("beyond half of a connection's bound one request goes on, and the others when there is room", () => {
  const { budget } = budgetOf(1e9);
  const client = new Client(budget, 100_000);
  const [first, second, third] = [client.call(20_000), client.call(20_000), client.call(20_000)];
  assert.deepEqual([client.requests.goesOn(second), client.requests.goesOn(first), client.requests.goesOn(third)], [true, false, false]);
  second.hold(10_000);
  assert.ok(client.requests.goesOn(second));
  // Complete, but the others still hold more than half: one of them goes on.
  first.hold(20_000);
  second.hold(-30_000);
  assert.deepEqual([first.resumed, third.resumed], [1, 0]);
  assert.ok(client.requests.goesOn(first));
  first.hold(-40_000);
  assert.deepEqual([third.resumed, client.requests.goesOn(third), client.calls.some(({ ended }) => ended)], [1, true, false]);
});

test("many large requests at once wait for each other instead of being refused", async (context) => {
  const { address } = await serve(context, { Unary(call: { request: Note }, done: (error: null, note: Note) => void) { done(null, { text: String(call.request.text.length) }); } }, {
    "samewire.max_connection_request_bytes": 12_000_000,
  });
  const client = new (makeClientConstructor(notes, "notes.Notes"))(address, credentials.createInsecure()) as unknown as { Unary(note: Note, done: (error: Error | null, note?: Note) => void): void; close(): void };
  context.after(() => { client.close(); });
  const text = "-".repeat(3_000_000);
  const results = await Promise.all(Array.from({ length: 12 }, () => new Promise((resolve) => {
    client.Unary({ text }, (error, note) => { resolve(error?.message ?? note?.text); });
  })));
  assert.deepEqual(results, Array<string>(12).fill("3000000"));
});
