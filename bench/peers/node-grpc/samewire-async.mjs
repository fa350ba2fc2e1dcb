import { ServerCredentials, createServer } from "../../../typescript/dist/node/grpc/index.mjs";
import { handlers } from "./async-handlers.mjs";
import { service } from "./definition.mjs";
import { STREAMS, UNBOUNDED, ready, settings } from "./serving.mjs";

const { address, tls } = settings;
const server = createServer({ "grpc.max_concurrent_streams": STREAMS, ...UNBOUNDED }).add(service, handlers);
ready(await server.serve(address, tls ? ServerCredentials.createSsl(null, [{ private_key: tls.key, cert_chain: tls.cert }]) : undefined));
