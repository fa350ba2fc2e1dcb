import { ServerCredentials } from "@grpc/grpc-js";
import nice from "nice-grpc";
import { handlers } from "./async-handlers.mjs";
import { service } from "./definition.mjs";
import { STREAMS, UNBOUNDED, ready, settings } from "./serving.mjs";

const { address, tls } = settings;
const server = nice.createServer({ "grpc.max_concurrent_streams": STREAMS, ...UNBOUNDED });
server.add(service, handlers);
ready(await server.listen(address, tls ? ServerCredentials.createSsl(null, [{ private_key: tls.key, cert_chain: tls.cert }]) : undefined));
