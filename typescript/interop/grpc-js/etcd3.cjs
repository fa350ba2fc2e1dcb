// etcd3, a client for etcd, against a server that keeps keys in memory: values, ranges, transactions, leases, watches, and what it does
// after a server that fails.

const { join, dirname } = require("node:path");
const grpc = require("@grpc/grpc-js");
const { loadSync } = require("@grpc/proto-loader");
const { Etcd3, EtcdLeaseInvalidError, GRPCUnavailableError } = require("etcd3");

const proto = join(dirname(require.resolve("etcd3")), "../proto/rpc.proto");
const { etcdserverpb } = grpc.loadPackageDefinition(loadSync(proto, { longs: String, keepCase: true, defaults: true }));

const keys = new Map();
const watches = new Set();
const leases = new Set();
let revision = 0;
let failures = 0;
const header = () => ({ cluster_id: 1, member_id: 1, revision, raft_term: 1 });

function range({ key, range_end: end }) {
  const [from, to] = [key.toString("latin1"), end.toString("latin1")];
  const wanted = to === "" ? (name) => name === from : to === "\0" ? (name) => name >= from : (name) => name >= from && name < to;
  return [...keys.values()].filter((kv) => wanted(kv.key.toString("latin1"))).sort((left, right) => Buffer.compare(left.key, right.key));
}

function put({ key, value, lease }) {
  revision += 1;
  const name = key.toString("latin1");
  const before = keys.get(name);
  const kv = { key, value, lease, create_revision: before?.create_revision ?? revision, mod_revision: revision, version: (before?.version ?? 0) + 1 };
  keys.set(name, kv);
  for (const { call, request, id } of watches) {
    if (request.key.equals(key)) call.write({ header: header(), watch_id: id, events: [{ type: "Put", kv }] });
  }
  return { header: header() };
}

const kv = {
  Range(call, callback) {
    if (failures > 0) {
      failures -= 1;
      return callback({ code: grpc.status.UNAVAILABLE, details: "no leader" });
    }
    const kvs = range(call.request);
    callback(null, { header: header(), kvs, count: kvs.length });
  },
  Put(call, callback) {
    if (call.request.lease !== "0" && !leases.has(call.request.lease)) return callback({ code: grpc.status.NOT_FOUND, details: "etcdserver: requested lease not found" });
    callback(null, put(call.request));
  },
  DeleteRange(call, callback) {
    const found = range(call.request);
    for (const { key } of found) keys.delete(key.toString("latin1"));
    callback(null, { header: header(), deleted: found.length });
  },
  Txn(call, callback) {
    const { compare, success, failure } = call.request;
    const succeeded = compare.every(({ key, value }) => keys.get(key.toString("latin1"))?.value.equals(value));
    const responses = (succeeded ? success : failure).map(({ request_put: request }) => ({ response_put: put(request) }));
    callback(null, { header: header(), succeeded, responses });
  },
};
const watch = {
  Watch(call) {
    call.on("data", ({ create_request: request, cancel_request: cancel }) => {
      if (request) {
        const id = String(watches.size + 1);
        watches.add({ call, request, id });
        call.write({ header: header(), watch_id: id, created: true, events: [] });
      } else if (cancel) call.write({ header: header(), watch_id: cancel.watch_id, canceled: true, events: [] });
    });
    call.on("end", () => call.end());
  },
};
const lease = {
  LeaseGrant(call, callback) {
    const ID = "77";
    leases.add(ID);
    callback(null, { header: header(), ID, TTL: call.request.TTL });
  },
  LeaseRevoke(call, callback) {
    leases.delete(call.request.ID);
    callback(null, { header: header() });
  },
  LeaseKeepAlive(call) {
    call.on("data", ({ ID }) => call.write({ header: header(), ID, TTL: leases.has(ID) ? "30" : "0" }));
    call.on("end", () => call.end());
  },
};

const server = new grpc.Server();
server.addService(etcdserverpb.KV.service, kv);
server.addService(etcdserverpb.Watch.service, watch);
server.addService(etcdserverpb.Lease.service, lease);
server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), async (error, port) => {
  if (error) throw error;
  const client = new Etcd3({ hosts: `127.0.0.1:${port}` });
  await client.put("books/carrie").value("1974");
  await client.put("books/it").value("1986");
  console.log(await client.get("books/it").string(), await client.get("absent").string());
  console.log(await client.getAll().prefix("books/").strings());
  console.log((await client.if("books/it", "Value", "==", "1986").then(client.put("books/it").value("1987")).commit()).succeeded);
  failures = 1;
  console.log(await client.get("books/it").string().catch((problem) => [problem instanceof GRPCUnavailableError, problem.message]));
  const watcher = await client.watch().key("books/it").create();
  const seen = new Promise((resolve) => watcher.on("put", (event) => resolve(`${event.key} ${event.value}`)));
  await client.put("books/it").value("1988");
  console.log(await seen);
  await watcher.cancel();
  const held = client.lease(30);
  await held.put("books/misery").value("1987");
  await held.keepaliveOnce();
  await held.revoke();
  console.log(leases.size, await client.put("books/none").lease("5").value("").catch((problem) => [problem instanceof EtcdLeaseInvalidError, problem.message]));
  console.log((await client.delete().prefix("books/")).deleted);
  client.close();
  server.forceShutdown();
});
