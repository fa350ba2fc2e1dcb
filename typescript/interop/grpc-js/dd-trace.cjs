// The spans that Datadog's tracer makes of a call of every kind: it replaces functions of the package's files as they are loaded.

process.env.DD_TRACE_STARTUP_LOGS = "false";
process.env.DD_INSTRUMENTATION_TELEMETRY_ENABLED = "false";
process.env.DD_REMOTE_CONFIGURATION_ENABLED = "false";
process.env.DD_CRASHTRACKING_ENABLED = "false";

const { createServer } = require("node:http");
const { gunzipSync } = require("node:zlib");

/** The agent that spans go to, which says what services it accepts; it keeps what it gets. */
const payloads = [];
const agent = createServer((request, response) => {
  const parts = [];
  request.on("data", (part) => parts.push(part));
  request.on("end", () => {
    const body = Buffer.concat(parts);
    if (request.url.includes("/traces")) payloads.push(request.headers["content-encoding"] === "gzip" ? gunzipSync(body) : body);
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(request.url === "/info" ? { endpoints: ["/v0.4/traces"] } : { rate_by_service: {} }));
  });
});

agent.listen(0, "127.0.0.1", async () => {
  const tracer = require("dd-trace").init({ url: `http://127.0.0.1:${agent.address().port}`, flushInterval: 0, plugins: false });
  tracer.use("grpc", { metadata: ["who"] });
  const finished = [];
  // The tracer's record of a span, before it is written for the agent.
  const { prototype } = require("dd-trace/packages/dd-trace/src/opentracing/span");
  const { finish } = prototype;
  prototype.finish = function (...rest) {
    finished.push(this);
    return finish.apply(this, rest);
  };
  const grpc = require("@grpc/grpc-js");
  const { started, calls } = require("./notes.cjs");
  const { client, stop } = await started(grpc);
  console.log(JSON.stringify(await tracer.trace("outer", () => calls(grpc, client))));
  const generic = await new Promise((resolve) => {
    const plain = new grpc.Client(client.getChannel().getTarget().replace(/^\w+:/, ""), grpc.credentials.createInsecure());
    plain.makeUnaryRequest("/notes.Notes/Get", (value) => value, (value) => value, Buffer.alloc(0), (error, value) => {
      plain.close();
      resolve(error?.code ?? String(value));
    });
  });
  console.log(generic);
  await stop();
  const names = new Map(finished.map((span) => [span.context().toSpanId(), span.context()._name]));
  const told = finished.map((span) => {
    const context = span.context();
    const wanted = ["component", "grpc.method.kind", "grpc.method.name", "grpc.method.path", "grpc.status.code", "resource.name", "span.kind", "error.type", "grpc.request.metadata.who"];
    const tags = wanted.filter((name) => context._tags[name] !== undefined).map((name) => `${name}=${context._tags[name]}`);
    return `${context._name} under ${names.get(context._parentId?.toString(10)) ?? "nothing"}: ${tags.join(" ")}`;
  });
  console.log(told.sort().join("\n"));
  while (payloads.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  console.log(payloads.some((payload) => payload.includes("grpc.client")));
  process.exit(0);
});
