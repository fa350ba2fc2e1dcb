// OpenTelemetry around calls of Samewire's gRPC: a span on each side, and the trace's context in the request's metadata.
import { context, propagation, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";

/** In a program of yours: the exporter that your collector reads. */
export const exporter = new InMemorySpanExporter();
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
propagation.setGlobalPropagator(new W3CTraceContextPropagator());
trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
const tracer = trace.getTracer("shop");

/** What OpenTelemetry needs to know of gRPC's metadata. */
const ofMetadata = {
  get: (metadata, name) => metadata.get(name)[0]?.toString(),
  keys: (metadata) => Object.keys(metadata.getMap()),
};

function within(name, kind, parent, work) {
  return tracer.startActiveSpan(name, { kind, attributes: { "rpc.system": "grpc" } }, parent, async (span) => {
    try {
      return await work();
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR, message: error.message });
      throw error;
    } finally {
      span.end();
    }
  });
}

/** A handler of a unary method that is a span of its caller's trace. */
export const traced = (handler) => (request, call) => {
  const parent = propagation.extract(context.active(), call.metadata, ofMetadata);
  return within(call.path.slice(1), SpanKind.SERVER, parent, () => handler(request, call));
};

/** A unary method of a client that is a span, and tells the server of it. */
export const tracing = (name, method) => (request, controls = {}) =>
  within(name, SpanKind.CLIENT, context.active(), () => {
    const carrier = {};
    propagation.inject(context.active(), carrier);
    return method(request, { ...controls, metadata: { ...controls.metadata, ...carrier } });
  });
