import { createServer, createSecureServer } from "node:http2";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { handlers } from "./async-handlers.mjs";
import { service, spelled } from "./connect-service.mjs";
import { STREAMS, ready, settings } from "./serving.mjs";

const methods = Object.fromEntries(Object.entries(handlers).map(([name, handler]) => [spelled(name), handler]));
const handler = connectNodeAdapter({ routes: (router) => router.service(service, methods) });
const options = { settings: { maxConcurrentStreams: STREAMS } };
const server = settings.tls ? createSecureServer({ ...options, ...settings.tls }, handler) : createServer(options, handler);
server.listen(settings.port, settings.host, () => ready(server.address().port));
