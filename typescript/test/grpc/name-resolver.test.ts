import assert from "node:assert/strict";
import { test } from "node:test";
import type { TestContext } from "node:test";
import * as grpcJs from "@grpc/grpc-js";
import * as samewire from "../../src/grpc/index.js";
import { codeOf, makers, service, startPeer, unary, until, type Maker } from "./peers.js";
import { rawServer, reply } from "./raw-server.js";

/* A program's own resolver: one class, registered with grpc-js and with us, that behaves the same with both. */
/* eslint-disable @typescript-eslint/no-explicit-any, @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-call */
/* eslint-disable @typescript-eslint/no-unsafe-member-access, @typescript-eslint/no-unsafe-return */

const { statusOrFromError, statusOrFromValue } = samewire.experimental;
const libraries: Record<Maker, any> = { "grpc-js": grpcJs, samewire };
const QUICK = { "grpc.initial_reconnect_backoff_ms": 20, "grpc.max_reconnect_backoff_ms": 40 };

/** What a registry says about a name. */
interface Registry {
  endpoints: samewire.experimental.StatusOr<samewire.experimental.Endpoint[]>;
  config: samewire.experimental.StatusOr<samewire.ServiceConfig> | null;
}

const registries = new Map<string, Registry>();
const resolvers: RegistryResolver[] = [];

/** Asks a registry, and hears when it has changed. */
class RegistryResolver implements samewire.experimental.Resolver {
  asked = 0;
  destroyed = false;
  accepted: boolean | null = null;

  static getDefaultAuthority({ path }: samewire.experimental.GrpcUri): string {
    return path;
  }

  constructor(
    readonly target: samewire.experimental.GrpcUri,
    readonly listener: samewire.experimental.ResolverListener,
    readonly options: samewire.ChannelOptions,
  ) {
    resolvers.push(this);
  }

  updateResolution(): void {
    this.asked += 1;
    setImmediate(() => { this.tell(); });
  }

  tell(): void {
    if (this.destroyed) return;
    const { endpoints, config } = registries.get(this.target.path)!;
    this.accepted = this.listener(endpoints, {}, config, "");
  }

  destroy(): void {
    this.destroyed = true;
  }
}

for (const maker of makers) libraries[maker].experimental.registerResolver("registry", RegistryResolver);

const config = (...policies: object[]): samewire.experimental.StatusOr<samewire.ServiceConfig> => statusOrFromValue({ loadBalancingConfig: policies, methodConfig: [] } as samewire.ServiceConfig);

function endpoints(...addresses: string[]): Registry["endpoints"] {
  return statusOrFromValue(addresses.map((address) => ({ addresses: [{ host: address.split(":")[0]!, port: Number(address.split(":")[1]) }] })));
}

function client(context: TestContext, maker: Maker, target: string, options: object = {}): any {
  const library = libraries[maker];
  const Echo = library.makeClientConstructor(service, "test.Echo");
  const made = new Echo(target, library.credentials.createInsecure(), { ...QUICK, ...options });
  context.after(() => made.close());
  return made;
}

for (const maker of makers) {
  test(`${maker}: a registered resolver finds servers and their configuration, and tells when they change`, async (context) => {
    const peers = await Promise.all([startPeer("samewire"), startPeer("samewire")]);
    context.after(() => { for (const peer of peers) peer.stop(); });
    const name = `echo-${maker}`;
    const registry: Registry = { endpoints: endpoints(peers[0].address, peers[1].address), config: config({ round_robin: {} }) };
    registries.set(name, registry);
    const caller = client(context, maker, `registry://here/${name}`, { "own.option": 7 });
    await unary(caller, {});
    const resolver = resolvers.at(-1)!;
    assert.deepEqual([resolver.target.scheme, resolver.target.authority, resolver.target.path, resolver.options["own.option"]], ["registry", "here", name, 7]);
    assert.equal(caller.getChannel().getTarget(), `registry://here/${name}`);
    while (peers.some(({ events }) => events.handled === 0)) await unary(caller, {});
    registry.endpoints = endpoints(peers[1].address);
    resolver.tell();
    await until(() => resolver.accepted === true, "the news");
    const before = peers.map(({ events }) => events.handled);
    for (let at = 0; at < 10; at += 1) await unary(caller, {});
    assert.deepEqual(peers.map(({ events }, at) => events.handled - before[at]!), [0, 10]);
    // Its only server goes: the resolver is asked for another.
    const { asked } = resolver;
    registry.endpoints = endpoints(peers[0].address);
    peers[1].stop();
    await until(() => resolver.asked > asked, "a question");
    assert.equal(await codeOf(unary(caller, {}, new libraries[maker].Metadata({ waitForReady: true }), {})), 0);
    caller.close();
    await until(() => resolver.destroyed, "the resolver's end");
  });

  test(`${maker}: while a resolver finds nothing calls fail with its reason, and those that wait go on`, async (context) => {
    const peer = await startPeer("samewire");
    context.after(() => { peer.stop(); });
    const name = `late-${maker}`;
    const registry: Registry = { endpoints: statusOrFromError({ code: samewire.status.UNAVAILABLE, details: "the registry is closed" }), config: null };
    registries.set(name, registry);
    const caller = client(context, maker, `registry:${name}`);
    await assert.rejects(unary(caller, {}), (error: samewire.ServiceError) => error.code === samewire.status.UNAVAILABLE && error.details.includes("the registry is closed"));
    const waiting = unary(caller, { text: "at last" }, new libraries[maker].Metadata({ waitForReady: true }), {});
    registry.endpoints = endpoints(peer.address);
    resolvers.at(-1)!.tell();
    assert.equal((await waiting).text, "at last");
  });
}

test("a resolver that finds nothing is asked again, with pauses", async (context) => {
  registries.set("never", { endpoints: statusOrFromError({ code: samewire.status.UNAVAILABLE, details: "no" }), config: null });
  const caller = client(context, "samewire", "registry:never");
  assert.equal(await codeOf(unary(caller, {})), samewire.status.UNAVAILABLE);
  const resolver = resolvers.at(-1)!;
  const began = performance.now();
  await until(() => resolver.asked >= 5, "the fifth question");
  assert.ok(performance.now() - began >= 4 * 16 - 20);
  assert.equal(resolver.accepted, false);
});

test("calls have the resolver's authority", async (context) => {
  const seen: unknown[] = [];
  const server = await rawServer((stream, headers) => {
    seen.push(headers[":authority"]);
    reply(stream, {});
  });
  context.after(() => server.close());
  registries.set("authority.example", { endpoints: endpoints(server.address), config: null });
  await unary(client(context, "samewire", "registry:authority.example"), {});
  await unary(client(context, "samewire", "registry:authority.example", { "grpc.default_authority": "other.example" }), {});
  assert.deepEqual(seen, ["authority.example", "other.example"]);
});

test("a configuration that is none is not accepted, and the one in force stays", async (context) => {
  const peers = await Promise.all([startPeer("samewire"), startPeer("samewire")]);
  context.after(() => { for (const peer of peers) peer.stop(); });
  const registry: Registry = { endpoints: endpoints(peers[0].address, peers[1].address), config: config({ round_robin: {} }) };
  registries.set("steady", registry);
  const caller = client(context, "samewire", "registry:steady");
  while (peers.some(({ events }) => events.handled === 0)) await unary(caller, {});
  const resolver = resolvers.at(-1)!;
  for (const wrong of [config({ nothing: {} }), statusOrFromError<samewire.ServiceConfig>({ code: samewire.status.UNAVAILABLE, details: "unreadable" })]) {
    registry.config = wrong;
    resolver.tell();
    assert.equal(resolver.accepted, false);
    const before = peers.map(({ events }) => events.handled);
    for (let at = 0; at < 10; at += 1) await unary(caller, {});
    assert.deepEqual(peers.map(({ events }, at) => events.handled - before[at]!), [5, 5]);
  }
  registry.config = null;
  resolver.tell();
  assert.equal(resolver.accepted, true);
  const before = peers.map(({ events }) => events.handled);
  for (let at = 0; at < 10; at += 1) await unary(caller, {});
  assert.deepEqual(peers.map(({ events }, at) => events.handled - before[at]!).sort((a, b) => a - b), [0, 10], "the channel's own is pick_first");
});

test("what belongs to resolvers does what grpc-js's does", () => {
  const ours = samewire.experimental;
  const theirs = grpcJs.experimental;
  for (const text of ["host", "host:1", "host:x", "[::1]", "[::1]:5", "[::1]x", "[host]:1", "::1", "fe80::1", "[::1", "a:b:c", ""]) assert.deepEqual(ours.splitHostPort(text), theirs.splitHostPort(text), text);
  for (const uri of [{ path: "a" }, { scheme: "s", path: "a/b" }, { scheme: "s", authority: "", path: "a" }, { scheme: "s", authority: "x:1", path: "" }]) assert.equal(ours.uriToString(uri), theirs.uriToString(uri as never));
  const endpoint = { addresses: [{ host: "1.2.3.4", port: 5 }, { host: "::1", port: 6 }, { path: "/tmp/a" }] };
  assert.equal(ours.endpointToString(endpoint), theirs.endpointToString(endpoint));
  for (const address of endpoint.addresses) {
    assert.equal(ours.subchannelAddressToString(address), theirs.subchannelAddressToString(address));
    assert.ok(ours.endpointHasAddress(endpoint, address));
  }
  assert.ok(!ours.endpointHasAddress(endpoint, { host: "1.2.3.4", port: 6 }));
});
