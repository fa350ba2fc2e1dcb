import { createServer, createSecureServer } from "node:http2";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { service } from "./connect-service.mjs";
import { STREAMS, ready, settings } from "./serving.mjs";

const handler = connectNodeAdapter({
  routes: (router) =>
    router.service(service, {
      echo: (request) => request,
      echoBlob: (request) => request,
      async *echoServerStream({ value, value2 }) {
        for (let sent = 1; sent <= value2; sent++) yield { value, value2: sent };
      },
      async echoClientStream(requests) {
        let last;
        for await (const request of requests) last = request;
        return last;
      },
      async *echoBidiStream(requests) {
        yield* requests;
      },
    }),
});
const options = { settings: { maxConcurrentStreams: STREAMS } };
const server = settings.tls ? createSecureServer({ ...options, ...settings.tls }, handler) : createServer(options, handler);
server.listen(settings.port, settings.host, () => ready(server.address().port));
