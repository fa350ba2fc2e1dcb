// Two services, of which one asks the other; every call is traced. Prints the spans of each trace.
import { SpanKind } from "@opentelemetry/api";
import { createClient, createServer, GrpcError, status } from "samewire/grpc";
import { packService } from "samewire/grpc/pack";
import * as pack from "samewire/pack";
import { exporter, traced, tracing } from "./tracing.mjs";

const Receipt = pack.struct("Receipt", { book: pack.string, cents: pack.i32 });
const Prices = packService("shop.Prices", { Get: { request: pack.string, response: pack.i32 } });
const Orders = packService("shop.Orders", { Buy: { request: pack.string, response: Receipt } });

const prices = new Map([["1001", 1250]]);
const priceServer = createServer().add(Prices, {
  Get: traced((book) => {
    const cents = prices.get(book);
    if (cents === undefined) throw new GrpcError(status.NOT_FOUND, `there is no book ${book}`);
    return cents;
  }),
});
const priceClient = createClient(Prices, `127.0.0.1:${await priceServer.serve("127.0.0.1:0")}`);
const priceOf = tracing("shop.Prices/Get", (book, controls) => priceClient.Get(book, controls));

const orderServer = createServer().add(Orders, {
  Buy: traced(async (book) => ({ book, cents: await priceOf(book, { timeout: 5_000 }) })),
});
const orderClient = createClient(Orders, `127.0.0.1:${await orderServer.serve("127.0.0.1:0")}`);
const buy = tracing("shop.Orders/Buy", (book, controls) => orderClient.Buy(book, controls));

console.log(await buy("1001"));
await buy("1009").catch((error) => console.log(error.message));
for (const client of [orderClient, priceClient]) await client[Symbol.asyncDispose]();
for (const server of [orderServer, priceServer]) await server.close(1_000);

const spans = exporter.getFinishedSpans();
function print(parent, depth) {
  for (const span of spans.filter(({ parentSpanContext }) => parentSpanContext?.spanId === parent)) {
    const failure = span.status.message === undefined ? "" : `: ${span.status.message}`;
    console.log(`${"  ".repeat(depth)}${SpanKind[span.kind]} ${span.name}${failure}`);
    print(span.spanContext().spanId, depth + 1);
  }
}
print(undefined, 0);
