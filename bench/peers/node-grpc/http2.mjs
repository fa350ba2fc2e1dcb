// node:http2 alone, echoing bytes: what no library on top of it can be faster than.
import { createServer, createSecureServer } from "node:http2";
import { STREAMS, ready, settings } from "./serving.mjs";

const HEAD = { ":status": 200, "content-type": "application/grpc" };
const TRAILERS = { "grpc-status": "0" };

const options = { settings: { maxConcurrentStreams: STREAMS } };
const server = settings.tls ? createSecureServer({ ...options, ...settings.tls }) : createServer(options);
server.on("stream", (stream) => {
  const chunks = [];
  stream.on("data", (chunk) => chunks.push(chunk));
  stream.on("end", () => {
    stream.respond(HEAD, { waitForTrailers: true });
    stream.on("wantTrailers", () => stream.sendTrailers(TRAILERS));
    stream.end(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
  });
});
server.listen(settings.port, settings.host, () => ready(server.address().port));
