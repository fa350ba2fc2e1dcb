import assert from "node:assert/strict";
import { test } from "node:test";
import { Client, Metadata, Server, connectivityState, credentials, experimental, status } from "../../src/grpc/index.js";
import type { CallOptions, ClientUnaryCall, ServerUnaryCall, ServiceError, ServiceConfig, sendUnaryData } from "../../src/grpc/index.js";
import { bind, notes, until } from "./serving.js";
import type { Note } from "./serving.js";

const { LeafLoadBalancer, PickResultType, registerLoadBalancerType, registerResolver, statusOrFromValue } = experimental;
type Helper = experimental.ChannelControlHelper;
type Answer = string | ServiceError;

async function server(name: string): Promise<{ server: Server; port: number }> {
  const made = new Server();
  made.addService(notes, { unary: (_call: ServerUnaryCall<Note, Note>, callback: sendUnaryData<Note>) => { callback(null, { text: name }); } });
  return { server: made, port: await bind(made, "127.0.0.1:0") };
}

function get(client: Client, shard?: string, waitForReady = false): Promise<Answer> {
  const { path, requestSerialize, responseDeserialize } = notes.Unary;
  const metadata = new Metadata({ waitForReady });
  if (shard !== undefined) metadata.set("shard", shard);
  return new Promise((resolve) => {
    client.makeUnaryRequest(path, requestSerialize, responseDeserialize, { text: "" }, metadata, { deadline: Date.now() + 10_000 }, (error, note) => { resolve(error ?? note!.text); });
  });
}

function configOf(name: string) {
  return class {
    constructor(readonly json: unknown) {}
    getLoadBalancerName = (): string => name;
    toJsonObject = (): object => ({ [name]: this.json });
    static createFromJson(json: unknown) {
      return new this(json);
    }
  };
}

const balancing = (...policies: object[]): { "grpc.service_config": string } => ({ "grpc.service_config": JSON.stringify({ loadBalancingConfig: policies }) });

/** One server for each shard; `pick` is what a test makes of it. */
class Sharded implements experimental.LoadBalancer {
  static current: Sharded;
  static pick: ((shard: number, leaves: experimental.Picker[], args: experimental.PickArgs) => experimental.PickResult) | null = null;
  leaves: InstanceType<typeof LeafLoadBalancer>[] = [];
  destroyed = 0;

  constructor(readonly helper: Helper) {
    Sharded.current = this;
  }

  updateAddressList(endpoints: Parameters<experimental.LoadBalancer["updateAddressList"]>[0], _config: unknown, options: Parameters<experimental.LoadBalancer["updateAddressList"]>[2]): boolean {
    for (const leaf of this.leaves) leaf.destroy();
    const helper = experimental.createChildChannelControlHelper(this.helper, { updateState: () => { this.update(); } });
    this.leaves = endpoints.ok ? endpoints.value.map((endpoint) => new LeafLoadBalancer(endpoint, helper, options, "")) : [];
    for (const leaf of this.leaves) leaf.startConnecting();
    return true;
  }

  update(): void {
    const ready = this.leaves.every((leaf) => leaf.getConnectivityState() === connectivityState.READY);
    if (!ready) return;
    const pickers = this.leaves.map((leaf) => leaf.getPicker());
    this.helper.updateState(connectivityState.READY, {
      pick: (args) => {
        const shard = Number(args.metadata.get("shard")[0]);
        return Sharded.pick?.(shard, pickers, args) ?? pickers[shard]!.pick(args);
      },
    }, null);
  }

  exitIdle(): void {
    for (const leaf of this.leaves) leaf.exitIdle();
  }

  resetBackoff(): void {
    // Its leaves have their own.
  }

  destroy(): void {
    this.destroyed += 1;
    for (const leaf of this.leaves) leaf.destroy();
  }

  getTypeName(): string {
    return "sharded";
  }
}
registerLoadBalancerType("sharded", Sharded, configOf("sharded"));

/** Its listener is the test's to call. */
let found: experimental.ResolverListener;
registerResolver("told", class {
  constructor(_target: unknown, listener: experimental.ResolverListener) {
    found = listener;
  }
  updateResolution(): void {
    // The test says what there is.
  }
  destroy(): void {
    // Nothing is held.
  }
  static getDefaultAuthority(): string {
    return "told";
  }
});

test("a registered policy sends each call to the server that its metadata names, and hears how it ends", async () => {
  const servers = await Promise.all(["zero", "one"].map(server));
  const client = new Client(`ipv4:${servers.map(({ port }) => `127.0.0.1:${port}`).join(",")}`, credentials.createInsecure(), balancing({ unknown: {} }, { sharded: {} }));
  const heard: string[] = [];
  Sharded.pick = (shard, leaves, args) => ({ ...leaves[shard]!.pick(args), onCallStarted: () => { heard.push("started"); }, onCallEnded: (code) => { heard.push(String(code)); } });
  assert.deepEqual([await get(client, "1"), await get(client, "0"), await get(client, "1")], ["one", "zero", "one"]);
  assert.deepEqual(heard, ["started", "0", "started", "0", "started", "0"]);
  Sharded.pick = null;
  client.close();
  assert.equal(Sharded.current.destroyed, 1);
  await until(() => servers.every((each) => each.server.getStatistics().connections === 0));
  for (const each of servers) each.server.forceShutdown();
});

test("a policy drops calls, fails those that do not wait, keeps the others, and may be wrong", async () => {
  const { server: one, port } = await server("one");
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure(), balancing({ sharded: {} }));
  const failing = (pickResultType: experimental.PickResultType, code: status): typeof Sharded.pick => () => ({
    pickResultType, subchannel: null, status: { code, details: "the policy says so", metadata: new Metadata() }, onCallStarted: null, onCallEnded: null,
  });
  const outcome = (answer: Answer): unknown => (typeof answer === "string" ? answer : [answer.code, answer.details]);
  Sharded.pick = failing(PickResultType.DROP, status.UNAVAILABLE);
  assert.deepEqual(outcome(await get(client, "0", true)), [14, "the policy says so"]);
  Sharded.pick = failing(PickResultType.DROP, status.NOT_FOUND);
  assert.deepEqual(outcome(await get(client, "0")), [13, "Invalid status from control plane: 5 NOT_FOUND the policy says so"]);
  Sharded.pick = () => { throw new Error("a mistake"); };
  assert.deepEqual(outcome(await get(client, "0")), [13, "The load balancing policy failed: a mistake"]);
  Sharded.pick = failing(PickResultType.TRANSIENT_FAILURE, status.UNAVAILABLE);
  assert.deepEqual(outcome(await get(client, "0")), [14, "the policy says so"]);
  const waiting = get(client, "0", true);
  await new Promise((resolve) => setImmediate(resolve));
  Sharded.pick = null;
  Sharded.current.update();
  assert.equal(outcome(await waiting), "one");
  client.close();
  one.forceShutdown();
});

test("a call is not left waiting by a picker whose connection is ready while it picks", async () => {
  const { server: one, port } = await server("one");
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure(), balancing({ sharded: {} }));
  let picks = 0;
  Sharded.pick = () => {
    picks += 1;
    Sharded.pick = null;
    // The update comes before the call is queued, and no other follows.
    Sharded.current.update();
    return { pickResultType: PickResultType.QUEUE, subchannel: null, status: null, onCallStarted: null, onCallEnded: null };
  };
  assert.deepEqual([await get(client, "0"), picks], ["one", 1]);
  client.close();
  one.forceShutdown();
});

test("a resolver's configuration puts a registered policy in the place of round_robin, and back", async () => {
  const servers = await Promise.all(["zero", "one"].map(server));
  const client = new Client("told:", credentials.createInsecure());
  const list = statusOrFromValue(servers.map(({ port }) => ({ addresses: [{ host: "127.0.0.1", port }] })));
  const config = (policy: object): ReturnType<typeof statusOrFromValue<ServiceConfig>> => statusOrFromValue({ loadBalancingConfig: [policy], methodConfig: [] } as unknown as ServiceConfig);
  const first = get(client);
  await new Promise((resolve) => setImmediate(resolve));
  found(list, {}, config({ round_robin: {} }), "");
  await first;
  found(list, {}, config({ sharded: {} }), "");
  assert.deepEqual([await get(client, "0"), await get(client, "0"), await get(client, "1")], ["zero", "zero", "one"]);
  const { current } = Sharded;
  found(list, {}, config({ sharded: { changed: true } }), "");
  assert.equal(await get(client, "1"), "one");
  assert.equal(Sharded.current, current);
  found(list, {}, config({ round_robin: {} }), "");
  assert.equal(current.destroyed, 1);
  const seen = new Set<Answer>();
  while (seen.size < 2) seen.add(await get(client));
  client.close();
  for (const each of servers) each.server.forceShutdown();
});

test("outlier_detection has a registered policy below it", async () => {
  const servers = await Promise.all(["zero", "one"].map(server));
  const config = balancing({ outlier_detection: { successRateEjection: {}, childPolicy: [{ sharded: {} }] } });
  const client = new Client(`ipv4:${servers.map(({ port }) => `127.0.0.1:${port}`).join(",")}`, credentials.createInsecure(), config);
  assert.deepEqual([await get(client, "1"), await get(client, "0")], ["one", "zero"]);
  client.close();
  for (const each of servers) each.server.forceShutdown();
});

/** A ConfigSelector for calls to `told:`. */
function selector(config: Partial<experimental.CallConfig>): { heard: string[]; attributes: Record<string, unknown> } {
  const heard: string[] = [];
  const given: experimental.ConfigSelector = {
    invoke: (path) => {
      heard.push(path);
      return { methodConfig: { name: [] }, onCommitted: () => { heard.push("committed"); }, pickInformation: {}, status: status.OK, dynamicFilterFactories: [], ...config };
    },
    unref: () => { heard.push("released"); },
  };
  return { heard, attributes: { [experimental.CHANNEL_ARGS_CONFIG_SELECTOR_KEY]: given } };
}

test("a resolver's ConfigSelector sets a call's timeout, metadata and status, and hears once that it is committed", async () => {
  const { server: one, port } = await server("one");
  const list = statusOrFromValue([{ addresses: [{ host: "127.0.0.1", port }] }]);
  const client = new Client("told:", credentials.createInsecure());
  const outcome = (answer: Answer): unknown => (typeof answer === "string" ? answer : answer.code);
  class Failing extends experimental.BaseFilter {
    override sendMetadata(): Promise<Metadata> {
      return Promise.reject(Object.assign(new Error(), { code: status.NOT_FOUND, details: "by a filter" }));
    }
  }
  const plain = selector({});
  const first = get(client);
  await new Promise((resolve) => setImmediate(resolve));
  found(list, plain.attributes, null, "");
  assert.equal(outcome(await first), "one");
  assert.equal(plain.heard.length, 2);
  assert.equal(plain.heard[1], "committed");
  for (const [config, expected] of [
    [{ methodConfig: { name: [], timeout: { seconds: 0, nanos: 0 } } }, status.DEADLINE_EXCEEDED],
    [{ status: status.UNAVAILABLE }, status.UNAVAILABLE],
    [{ status: status.NOT_FOUND }, status.INTERNAL],
    [{ dynamicFilterFactories: [{ createFilter: () => new Failing() }] }, status.NOT_FOUND],
    [{}, "one"],
  ] as [Partial<experimental.CallConfig>, status | string][]) {
    const { heard, attributes } = selector(config);
    found(list, attributes, null, "");
    assert.equal(outcome(await get(client)), expected);
    assert.deepEqual(heard.slice(1), ["committed"]);
  }
  assert.deepEqual(plain.heard.slice(1), ["committed", "released"]);
  client.close();
  one.forceShutdown();
});

test("calls that wait for a resolver's decision keep their deadline, may be cancelled, and fail with the channel", async () => {
  const client = new Client("told:", credentials.createInsecure());
  const outcome = (answer: Answer): unknown => (typeof answer === "string" ? answer : answer.code);
  const { path, requestSerialize, responseDeserialize } = notes.Unary;
  const call = (options: CallOptions): { call: ClientUnaryCall; ended: Promise<Answer> } => {
    let made!: ClientUnaryCall;
    const ended = new Promise<Answer>((resolve) => {
      made = client.makeUnaryRequest(path, requestSerialize, responseDeserialize, { text: "" }, new Metadata(), options, (error, note) => { resolve(error ?? note!.text); });
    });
    return { call: made, ended };
  };
  const late = call({ deadline: Date.now() + 50 });
  const cancelled = call({});
  const closed = call({});
  cancelled.call.cancel();
  assert.equal(outcome(await cancelled.ended), status.CANCELLED);
  assert.equal(outcome(await late.ended), status.DEADLINE_EXCEEDED);
  client.close();
  assert.equal(outcome(await closed.ended), status.UNAVAILABLE);
});

test("a ConfigSelector has a call retried, has it wait for a connection, and fails it alone where it throws", async () => {
  let tries = 0;
  const refusing = new Server();
  refusing.addService(notes, {
    unary: (_call: ServerUnaryCall<Note, Note>, callback: sendUnaryData<Note>) => {
      tries += 1;
      if (tries < 3) callback({ code: status.UNAVAILABLE });
      else callback(null, { text: `after ${tries}` });
    },
  });
  const port = await bind(refusing, "127.0.0.1:0");
  const list = statusOrFromValue([{ addresses: [{ host: "127.0.0.1", port }] }]);
  const client = new Client("told:", credentials.createInsecure());
  const outcome = (answer: Answer): unknown => (typeof answer === "string" ? answer : [answer.code, answer.details]);
  const retryPolicy = { maxAttempts: 3, initialBackoff: "0.01s", maxBackoff: "0.01s", backoffMultiplier: 1, retryableStatusCodes: [status.UNAVAILABLE] };
  const first = get(client);
  await new Promise((resolve) => setImmediate(resolve));
  found(list, selector({ methodConfig: { name: [], retryPolicy } }).attributes, null, "");
  assert.equal(outcome(await first), "after 3");
  const mistaken: experimental.ConfigSelector = {
    invoke: () => { throw new Error("a mistake"); },
    unref: () => undefined,
  };
  found(list, { [experimental.CHANNEL_ARGS_CONFIG_SELECTOR_KEY]: mistaken }, null, "");
  assert.deepEqual(outcome(await get(client)), [13, "The resolver's selector failed: a mistake"]);
  // No server listens there: a call fails at once, and one that waits for a connection uses the next list.
  const nowhere = statusOrFromValue([{ addresses: [{ host: "127.0.0.1", port: 1 }] }]);
  found(nowhere, selector({}).attributes, null, "");
  const [code] = outcome(await get(client)) as [status];
  assert.equal(code, status.UNAVAILABLE);
  found(nowhere, selector({ methodConfig: { name: [], waitForReady: true } }).attributes, null, "");
  const waiting = get(client);
  await new Promise((resolve) => setTimeout(resolve, 20));
  found(list, selector({}).attributes, null, "");
  assert.match(String(outcome(await waiting)), /^after/);
  client.close();
  refusing.forceShutdown();
});
