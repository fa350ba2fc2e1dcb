import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { test } from "node:test";
import type { TestContext } from "node:test";
import * as grpcJs from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { Metadata, Server, ServerInterceptingCall, ServerMetricRecorder, createClient, createServer, credentials, loadReport, makeClientConstructor, orcaService, status } from "../../src/grpc/index.js";
import type { LoadReport, ServerDuplexStream, ServerReadableStream, ServerUnaryCall, ServerWritableStream, sendUnaryData } from "../../src/grpc/index.js";
import { bind, clientStream, collect, notes, serve, unary, until } from "./serving.js";
import type { Note } from "./serving.js";

/* What grpc-js reads of our reports with the proto files that it brings along: names and numbers of the fields are
   judged by it. */
/* eslint-disable @typescript-eslint/no-explicit-any, @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-call */
/* eslint-disable @typescript-eslint/no-unsafe-member-access, @typescript-eslint/no-unsafe-argument */

const proto = join(dirname(createRequire(import.meta.url).resolve("@grpc/grpc-js/package.json")), "proto");
const options = { keepCase: true, longs: String, enums: String, defaults: false, oneofs: true, includeDirs: [join(proto, "xds"), join(proto, "protoc-gen-validate")] };
const theirs = grpcJs.loadPackageDefinition(loadSync("xds/service/orca/v3/orca.proto", options)) as any;
const Theirs = theirs.xds.service.orca.v3.OpenRcaService as grpcJs.ServiceClientConstructor;
const HEADER = "endpoint-load-metrics-bin";
const ON = { "grpc.server_call_metric_recording": 1 };

/** Trailers as grpc-js reads them. */
function read(trailers: grpcJs.Metadata | null): any {
  const value = trailers?.get(HEADER)[0];
  return value === undefined ? null : { ...theirs.xds.data.orca.v3.OrcaLoadReport.deserialize(value) };
}

type Measured = Pick<ServerUnaryCall<Note, Note>, "getMetricsRecorder">;

function measure(call: Measured, request: Note): void {
  if (request.text === "nothing") return;
  const metrics = call.getMetricsRecorder();
  metrics.recordRequestCostMetric("rows", 12);
  metrics.recordUtilizationMetric("disk", 0.25);
  metrics.recordNamedMetric("queue", 3.5);
  metrics.recordNamedMetric("queue", 4.5);
  metrics.recordCPUUtilizationMetric(0.5);
  metrics.recordMemoryUtilizationMetric(0.75);
  metrics.recordApplicationUtilizationMetric(1.5);
  metrics.recordQpsMetric(1_000.5);
  metrics.recordEpsMetric(2);
}

const MEASURED = {
  request_cost: { rows: 12 },
  utilization: { disk: 0.25 },
  named_metrics: { queue: 4.5 },
  cpu_utilization: 0.5,
  mem_utilization: 0.75,
  application_utilization: 1.5,
  rps_fractional: 1_000.5,
  eps: 2,
};

const measuring = {
  Unary(call: ServerUnaryCall<Note, Note>, callback: sendUnaryData<Note>) {
    measure(call, call.request);
    if (call.request.text === "fail") callback({ code: status.ABORTED, details: "no" });
    else callback(null, call.request);
  },
  Server(call: ServerWritableStream<Note, Note>) {
    measure(call, call.request);
    call.write(call.request);
    call.end();
  },
  Client(call: ServerReadableStream<Note, Note>, callback: sendUnaryData<Note>) {
    measure(call, { text: "" });
    const trailers = new Metadata();
    trailers.set("own", "kept");
    call.on("data", () => undefined);
    call.on("end", () => { callback(null, { text: "" }, trailers); });
  },
  Bidi(call: ServerDuplexStream<Note, Note>) {
    measure(call, { text: "" });
    call.on("data", (note) => call.write(note));
    call.on("end", () => call.end());
  },
};

for (const interceptors of [[], [(_method: unknown, call: any) => new ServerInterceptingCall(call)]]) {
  test(`what a call of any kind measures goes with its trailers${interceptors.length > 0 ? ", through interceptors" : ""}`, async (context) => {
    const serving = await serve(context, measuring, { ...ON, interceptors });
    const client = serving.client();
    const call = client.Bidi();
    const both = collect(call);
    call.write({ text: "x" });
    call.end();
    const sum = await clientStream(client, [{ text: "x" }]);
    for (const { trailers } of [await unary(client, { text: "x" }), await unary(client, { text: "fail" }), await collect(client.Server({ text: "x" })), sum, await both]) assert.deepEqual(read(trailers), MEASURED);
    assert.deepEqual(sum.trailers?.get("own"), ["kept"]);
    assert.equal(read((await unary(client, { text: "nothing" })).trailers), null);
  });
}

test("without the option nothing is sent", async (context) => {
  const serving = await serve(context, measuring);
  assert.equal(read((await unary(serving.client(), { text: "x" })).trailers), null);
});

test("our clients read the report, of modern servers too", async () => {
  const server = createServer(ON).add(notes, {
    Unary(note: Note, { metrics }) {
      metrics.recordQpsMetric(7);
      metrics.recordNamedMetric("a", 1);
      return note;
    },
  });
  const client = createClient(notes, `localhost:${await server.serve("localhost:0")}`);
  let report: LoadReport | null = null;
  await client.Unary({ text: "x" }, { onTrailer: (trailers) => { report = loadReport(trailers); } });
  assert.deepEqual(report, { qps: 7, namedMetrics: new Map([["a", 1]]) });
  await client[Symbol.asyncDispose]();
  await server.close();
  assert.equal(loadReport(new Metadata()), null);
  const broken = new Metadata();
  for (const bytes of [[0x09, 1], [0x0a, 8, 1, 2, 3, 4, 5, 6, 7, 8], [0x08, 1]]) {
    broken.set(HEADER, Buffer.from(bytes));
    assert.equal(loadReport(broken), null);
  }
});

async function reporting(context: TestContext, recorder: ServerMetricRecorder): Promise<string> {
  const server = new Server();
  recorder.addToServer(server);
  context.after(() => { server.forceShutdown(); });
  return `localhost:${await bind(server, "localhost:0")}`;
}

test("a server reports its metrics at once, then at the interval of the request", async (context) => {
  const recorder = new ServerMetricRecorder();
  recorder.setAllUtilizationMetrics({ disk: 0.1, net: 0.2 });
  recorder.putUtilizationMetric("disk", 0.3);
  recorder.deleteUtilizationMetric("net");
  recorder.setCpuUtilizationMetric(0.4);
  recorder.setMemoryUtilizationMetric(0.5);
  recorder.setApplicationUtilizationMetric(0.6);
  recorder.setQpsMetric(70);
  recorder.setEpsMetric(8);
  const address = await reporting(context, recorder);
  const client = new Theirs(address, grpcJs.credentials.createInsecure(), { "grpc.use_local_subchannel_pool": 1 }) as any;
  const ours = new (makeClientConstructor(orcaService, "xds.service.orca.v3.OpenRcaService"))(address, credentials.createInsecure()) as any;
  context.after(() => { client.close(); ours.close(); });
  const heard: any[] = [];
  const ownHeard: LoadReport[] = [];
  const call = client.StreamCoreMetrics({ report_interval: { seconds: "0", nanos: 150_000_000 } });
  const times: number[] = [];
  call.on("data", (report: any) => { heard.push({ ...report }); times.push(performance.now()); }).on("error", () => undefined);
  const own = ours.streamCoreMetrics({ reportInterval: 1_150 });
  own.on("data", (report: LoadReport) => ownHeard.push(report)).on("error", () => undefined);
  await until(() => heard.length === 1 && ownHeard.length === 1);
  assert.deepEqual(heard[0], { utilization: { disk: 0.3 }, cpu_utilization: 0.4, mem_utilization: 0.5, application_utilization: 0.6, rps_fractional: 70, eps: 8 });
  assert.deepEqual(ownHeard[0], { utilization: new Map([["disk", 0.3]]), cpuUtilization: 0.4, memUtilization: 0.5, applicationUtilization: 0.6, qps: 70, eps: 8 });
  for (const remove of ["Cpu", "Memory", "Application"] as const) recorder[`delete${remove}UtilizationMetric`]();
  recorder.deleteQpsMetric();
  recorder.deleteEpsMetric();
  recorder.setAllUtilizationMetrics({});
  await until(() => heard.length === 3);
  assert.deepEqual(heard[2], {});
  assert.ok(times[2]! - times[0]! >= 200, "two intervals of 150 ms");
  call.cancel();
  own.cancel();
});

test("a server sends at most ten reports a second", async (context) => {
  const address = await reporting(context, new ServerMetricRecorder());
  const client = new Theirs(address, grpcJs.credentials.createInsecure(), { "grpc.use_local_subchannel_pool": 1 }) as any;
  context.after(() => { client.close(); });
  const times: number[] = [];
  const call = client.StreamCoreMetrics({ report_interval: { seconds: "0", nanos: 0 } });
  call.on("data", () => times.push(performance.now())).on("error", () => undefined);
  await until(() => times.length === 4);
  assert.ok(times[3]! - times[0]! >= 200, "three intervals of 100 ms");
  call.cancel();
});

test("grpc-js's weighted round robin goes by what our servers tell", async (context) => {
  const handled = [0, 0];
  const ports: number[] = [];
  for (const at of [0, 1]) {
    const server = new Server(ON);
    server.addService(notes, {
      Unary(call: ServerUnaryCall<Note, Note>, callback: sendUnaryData<Note>) {
        handled[at]! += 1;
        call.getMetricsRecorder().recordQpsMetric(100);
        call.getMetricsRecorder().recordApplicationUtilizationMetric(at === 0 ? 0.9 : 0.1);
        callback(null, call.request);
      },
    });
    ports.push(await bind(server, "127.0.0.1:0"));
    context.after(() => { server.forceShutdown(); });
  }
  const weighted = { weighted_round_robin: { enable_oob_load_report: false, blackout_period: "0s", weight_update_period: "0.1s" } };
  const Client = grpcJs.makeClientConstructor(notes, "notes.Notes");
  const client = new Client(`ipv4:${ports.map((port) => `127.0.0.1:${port}`).join(",")}`, grpcJs.credentials.createInsecure(), { "grpc.use_local_subchannel_pool": 1, "grpc.service_config": JSON.stringify({ loadBalancingConfig: [weighted] }) }) as any;
  context.after(() => { client.close(); });
  const ask = async (count: number): Promise<void> => {
    for (let call = 0; call < count; call += 1) assert.equal((await unary(client, { text: "x" })).code, status.OK);
  };
  while (handled[0] === 0 || handled[1] === 0) await ask(5);
  await new Promise((resolve) => setTimeout(resolve, 250));
  await ask(5);
  await new Promise((resolve) => setTimeout(resolve, 250));
  const before = [...handled];
  await ask(100);
  assert.ok(handled[1]! - before[1]! > 3 * (handled[0]! - before[0]!), `${handled.map((count, at) => count - before[at]!).join(" and ")} calls`);
});
