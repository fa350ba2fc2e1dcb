// The spans that OpenTelemetry's instrumentation makes of a call of every kind, with their parents, attributes and states.

const { registerInstrumentations } = require("@opentelemetry/instrumentation");
const { GrpcInstrumentation } = require("@opentelemetry/instrumentation-grpc");
const { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } = require("@opentelemetry/sdk-trace-node");
const { SpanKind, trace } = require("@opentelemetry/api");

const exporter = new InMemorySpanExporter();
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
provider.register();
registerInstrumentations({ instrumentations: [new GrpcInstrumentation({ metadataToSpanAttributes: { server: { requestMetadata: ["who"] }, client: { responseMetadata: ["whence"] } } })] });

const grpc = require("@grpc/grpc-js");
const { started, calls } = require("./notes.cjs");

async function main() {
  const { client, stop } = await started(grpc);
  await trace.getTracer("program").startActiveSpan("outer", async (span) => {
    await calls(grpc, client);
    span.end();
  });
  await stop();
  const spans = exporter.getFinishedSpans();
  const names = new Map(spans.map((span) => [span.spanContext().spanId, `${SpanKind[span.kind]} ${span.name}`]));
  const told = spans.map((span) => {
    const attributes = Object.entries(span.attributes).filter(([name]) => name !== "server.port").map(([name, value]) => `${name}=${value}`).sort();
    const events = span.events.map(({ name }) => name);
    return `${SpanKind[span.kind]} ${span.name} under ${names.get(span.parentSpanContext?.spanId) ?? "nothing"}: status ${span.status.code} [${attributes}] [${events}]`;
  });
  console.log(told.sort().join("\n"));
}

main();
