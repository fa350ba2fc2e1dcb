// OpenTelemetry's own instrumentation of gRPC. It is loaded before Nest, so that it sees Nest load `@grpc/grpc-js`.
import { SpanKind } from "@opentelemetry/api";
import { registerInstrumentations } from "@opentelemetry/instrumentation";
import { GrpcInstrumentation } from "@opentelemetry/instrumentation-grpc";
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";

/** In a program of yours: the exporter that your collector reads. */
const exporter = new InMemorySpanExporter();
new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register();
registerInstrumentations({ instrumentations: [new GrpcInstrumentation()] });

/** Prints the spans that have ended, each below its parent. */
export function printSpans(parent?: string, depth = 0): void {
  const spans = exporter.getFinishedSpans().filter(({ parentSpanContext }) => parentSpanContext?.spanId === parent);
  for (const span of spans) {
    console.log(`${"  ".repeat(depth)}${SpanKind[span.kind]} ${span.name}: ${span.attributes["rpc.grpc.status_code"]}`);
    printSpans(span.spanContext().spanId, depth + 1);
  }
}
