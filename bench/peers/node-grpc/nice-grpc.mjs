import { ServerCredentials } from "@grpc/grpc-js";
import nice from "nice-grpc";
import { service } from "./definition.mjs";
import { STREAMS, UNBOUNDED, ready, settings } from "./serving.mjs";

const { createServer } = nice;
const { address, tls } = settings;
const server = createServer({ "grpc.max_concurrent_streams": STREAMS, ...UNBOUNDED });
server.add(service, {
  Echo: async (request) => request,
  EchoBlob: async (request) => request,
  async *EchoServerStream({ value, value2 }) {
    for (let sent = 1; sent <= value2; sent++) yield { value, value2: sent };
  },
  async EchoClientStream(requests) {
    let last;
    for await (const request of requests) last = request;
    return last;
  },
  async *EchoBidiStream(requests) {
    yield* requests;
  },
});
ready(await server.listen(address, tls ? ServerCredentials.createSsl(null, [{ private_key: tls.key, cert_chain: tls.cert }]) : undefined));
