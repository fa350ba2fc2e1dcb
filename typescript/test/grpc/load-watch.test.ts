import assert from "node:assert/strict";
import { once } from "node:events";
import type { ServerHttp2Stream } from "node:http2";
import { test } from "node:test";
import type { TestContext } from "node:test";
import * as grpcJs from "@grpc/grpc-js";
import { Channel } from "../../src/grpc/client/channel.js";
import { ConnectivityState } from "../../src/grpc/client/connectivity.js";
import { parseServiceConfig, type ServiceConfig } from "../../src/grpc/client/service-config.js";
import { Server, ServerCredentials, ServerMetricRecorder, orcaService, status } from "../../src/grpc/index.js";
import type { LoadReport, LoadReportRequest, ServerUnaryCall, ServerWritableStream, sendUnaryData } from "../../src/grpc/index.js";
import { followsLoads } from "./load-shares.js";
import { pause } from "./peers.js";
import { framed, rawServer, refuse, type RawServer } from "./raw-server.js";
import { bind, logging, notes, until, type Note } from "./serving.js";

const { READY } = ConnectivityState;
const METHOD = "/xds.service.orca.v3.OpenRcaService/StreamCoreMetrics";

/** Weighted round robin by streams of reports. */
const streamed = (more: object = {}): object => ({ weighted_round_robin: { enableOobLoadReport: true, oobReportingPeriod: "0.1s", blackoutPeriod: "0s", weightUpdatePeriod: "0.1s", ...more } });
const config = (policy: object): ServiceConfig => parseServiceConfig({ loadBalancingConfig: [policy] });

/** A channel that connects. */
function connected(context: TestContext, target: string, policy: object): Channel {
  const channel = new Channel(target, { serviceConfig: config(policy) });
  channel.state(true);
  context.after(() => { channel.close(); });
  return channel;
}

/** A server that notes which intervals it is asked for, and how many of the streams were cancelled. */
async function noting(context: TestContext): Promise<{ port: number; asked: (number | undefined)[]; cancelled: number }> {
  const server = new Server();
  const noted = { port: 0, asked: [] as (number | undefined)[], cancelled: 0 };
  server.addService(orcaService, {
    StreamCoreMetrics(call: ServerWritableStream<LoadReportRequest, LoadReport>) {
      noted.asked.push(call.request.reportInterval);
      call.on("cancelled", () => { noted.cancelled += 1; });
      call.write({ qps: 1, cpuUtilization: 0.5 });
    },
  });
  context.after(() => { server.forceShutdown(); });
  noted.port = await bind(server, "127.0.0.1:0");
  return noted;
}

/** Two makers of servers, under one of their types. */
const makers = [
  { Server, ServerMetricRecorder, insecure: ServerCredentials.createInsecure() },
  {
    Server: grpcJs.Server as unknown as typeof Server,
    ServerMetricRecorder: grpcJs.ServerMetricRecorder as unknown as typeof ServerMetricRecorder,
    insecure: grpcJs.ServerCredentials.createInsecure() as unknown as ServerCredentials,
  },
];

test("a channel goes by what servers tell by streams of their own, and not by what comes with calls", async (context) => {
  const handled = [0, 0];
  const loads = [0.9, 0.1];
  const recorders = makers.map((maker) => new maker.ServerMetricRecorder());
  const tell = (): void => { for (const [at, recorder] of recorders.entries()) recorder.setApplicationUtilizationMetric(loads[at]!); };
  const ports: number[] = [];
  for (const [at, recorder] of recorders.entries()) {
    const { insecure, ...maker } = makers[at]!;
    const server = new maker.Server(at === 0 ? { "grpc.server_call_metric_recording": 1 } : {});
    recorder.setQpsMetric(100);
    recorder.addToServer(server);
    server.addService(notes, {
      Unary(call: ServerUnaryCall<Note, Note>, callback: sendUnaryData<Note>) {
        handled[at]! += 1;
        // In grpc-js this costs ten milliseconds a call.
        if (at === 0) {
          call.getMetricsRecorder().recordQpsMetric(100);
          call.getMetricsRecorder().recordApplicationUtilizationMetric(loads[1]!);
        }
        callback(null, call.request);
      },
    });
    ports.push(await bind(server, "127.0.0.1:0", insecure));
    context.after(() => { server.forceShutdown(); });
  }
  tell();
  await followsLoads(context, { ports, handled }, streamed(), () => {
    loads.reverse();
    tell();
  });
});

test("a stream is begun when it is wanted, anew when its period is another, and ended with what wants it", async (context) => {
  const server = await noting(context);
  const channel = connected(context, `127.0.0.1:${server.port}`, { round_robin: {} });
  await until(() => channel.state(false) === READY);
  await pause(50);
  assert.deepEqual(server.asked, []);
  channel.reconfigured(config(streamed()));
  await until(() => server.asked.length === 1);
  channel.resolved([{ host: "127.0.0.1", port: server.port }]);
  channel.reconfigured(config(streamed({ oobReportingPeriod: "2.5s" })));
  await until(() => server.asked.length === 2 && server.cancelled === 1);
  channel.reconfigured(config(streamed({ enableOobLoadReport: false })));
  await until(() => server.cancelled === 2);
  channel.reconfigured(config(streamed()));
  await until(() => server.asked.length === 3);
  const { sessions } = channel.subchannels[0]!;
  assert.equal([...sessions][0]!.active, 0, "a report stream is not counted as a call");
  channel.close();
  await until(() => server.cancelled === 3 && sessions.size === 0);
  assert.deepEqual(server.asked, [100, 2_500, 100]);
});

/** Answers other than a report to a stream that requests a raw server's load. */
const answers: readonly [what: string, streams: number, answer: (stream: ServerHttp2Stream) => void][] = [
  ["does not know the method", 1, (stream) => { refuse(stream, status.UNIMPLEMENTED, "no"); }],
  ["fails", 2, (stream) => { refuse(stream, status.INTERNAL, "no"); }],
  ["resets it", 2, (stream) => { stream.close(2); }],
  ["sends a message that is not a report", 2, (stream) => { stream.respond({ ":status": 200, "content-type": "application/grpc" }); stream.write(framed("no report")); }],
  ["sends bytes that are not a message", 2, (stream) => { stream.respond({ ":status": 404 }); stream.end("<html>"); }],
  ["sends one that is compressed", 2, (stream) => { stream.respond({ ":status": 200, "content-type": "application/grpc" }); stream.write(Buffer.from([1, 0, 0, 0, 1, 0])); }],
  ["sends one that is too long", 2, (stream) => { stream.respond({ ":status": 200, "content-type": "application/grpc" }); stream.write(Buffer.from([0, 1, 0, 0, 0])); }],
  ["sends nothing", 1, () => undefined],
];

test("a stream that ends is begun again after a second, but not where the server does not know the method", async (context) => {
  const logged = logging(context);
  const servers: RawServer[] = [];
  for (const [, , answer] of answers) {
    const server = await rawServer((stream, headers) => {
      assert.equal(headers[":path"], METHOD);
      assert.equal(headers["grpc-accept-encoding"], "identity");
      answer(stream);
    });
    servers.push(server);
    context.after(() => server.close());
  }
  const channels = servers.map(({ address }) => connected(context, address, streamed()));
  await until(() => servers.every(({ streams }) => streams > 0));
  await pause(100);
  assert.deepEqual(servers.map(({ streams }) => streams), answers.map(() => 1), "not at once");
  await until(() => servers.every(({ streams }, at) => streams >= answers[at]![1]));
  for (const [at, [what, streams]] of answers.entries()) assert.equal(servers[at]!.streams, streams, `a server that ${what}`);
  const unknown = channels[0]!.subchannels[0]!.trace.events.filter(({ text }) => text.includes(METHOD));
  assert.equal(unknown.length, 1);
  assert.equal(logged.filter(([text]) => String(text).includes(METHOD)).length, 1);
  for (const channel of channels) channel.close();
  const begun = servers.map(({ streams }) => streams);
  await pause(100);
  assert.deepEqual(servers.map(({ streams }) => streams), begun);
});

test("reports come again over the next connection, and a server that takes one stream only keeps it for calls", async (context) => {
  const server = await rawServer(() => undefined);
  const narrow = await rawServer(() => undefined, { maxConcurrentStreams: 1 });
  context.after(() => Promise.all([server.close(), narrow.close()]));
  connected(context, server.address, streamed());
  const single = connected(context, narrow.address, streamed());
  await until(() => server.streams === 1);
  const [session] = server.sessions;
  session!.destroy();
  await once(session!, "close");
  await until(() => server.streams === 2);
  await until(() => single.state(false) === READY);
  await pause(50);
  assert.equal(narrow.streams, 0);
});
