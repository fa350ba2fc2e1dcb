import assert from "node:assert/strict";
import { test } from "node:test";
import { QueueBudget } from "../../src/grpc/http2/queue-budget.js";
import { HeldRequests, type RequestHolder } from "../../src/grpc/server/held-requests.js";

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
