// OpenTelemetry's exporter of spans over gRPC, against a collector that notes its requests: plain and compressed ones, metadata, and
// two statuses by which it refuses.

const grpc = require("@grpc/grpc-js");
const { ExportResultCode } = require("@opentelemetry/core");
const { OTLPTraceExporter } = require("@opentelemetry/exporter-trace-otlp-grpc");
const { CompressionAlgorithm } = require("@opentelemetry/otlp-exporter-base");
const { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } = require("@opentelemetry/sdk-trace-node");

const received = [];
let refusals = [];
const bytes = { serialize: (value) => value, deserialize: (value) => value };
const definition = {
  Export: {
    path: "/opentelemetry.proto.collector.trace.v1.TraceService/Export",
    requestStream: false, responseStream: false,
    requestSerialize: bytes.serialize, requestDeserialize: bytes.deserialize, responseSerialize: bytes.serialize, responseDeserialize: bytes.deserialize,
  },
};
const server = new grpc.Server();
server.addService(definition, {
  Export({ request, metadata }, callback) {
    received.push({ span: request.includes("a span of the program"), who: metadata.get("who"), agent: String(metadata.get("user-agent")).startsWith("OTel-OTLP-Exporter-JavaScript") });
    const code = refusals.shift();
    callback(code === undefined ? null : { code, details: "refused" }, Buffer.alloc(0));
  },
});

function spans() {
  const exporter = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  provider.getTracer("program").startSpan("a span of the program").end();
  return exporter.getFinishedSpans();
}

server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), async (error, port) => {
  if (error) throw error;
  const metadata = new grpc.Metadata();
  metadata.set("who", "client");
  const exported = async (options, codes) => {
    refusals = codes;
    const exporter = new OTLPTraceExporter({ url: `http://127.0.0.1:${port}`, metadata, timeoutMillis: 20_000, ...options });
    const result = await new Promise((resolve) => exporter.export(spans(), resolve));
    await exporter.shutdown();
    return { result: ExportResultCode[result.code], error: result.error?.message, received: JSON.stringify(received.splice(0)) };
  };
  console.log(await exported({}, []));
  console.log(await exported({ compression: CompressionAlgorithm.GZIP }, []));
  console.log(await exported({}, [grpc.status.UNAVAILABLE]));
  console.log(await exported({}, [grpc.status.INVALID_ARGUMENT]));
  server.forceShutdown();
});
