// A server of gRPC's interoperability tests: `node serve.js [CERTIFICATE KEY]` prints its port and ends with its input.

import { readFileSync } from "node:fs";
import { ReflectionService, ServerCredentials } from "../../../src/grpc/index.js";
import { PACKAGE } from "./definition.js";
import { interopServer } from "./service.js";

const [certificate, key] = process.argv.slice(2);
const credentials =
  certificate === undefined || key === undefined
    ? ServerCredentials.createInsecure()
    : ServerCredentials.createSsl(null, [{ cert_chain: readFileSync(certificate), private_key: readFileSync(key) }]);
const server = interopServer();
new ReflectionService(PACKAGE).addToServer(server);
server.bindAsync("127.0.0.1:0", credentials, (error, port) => {
  if (error !== null) throw error;
  console.log(port);
});
process.stdin.resume().on("end", () => {
  server.forceShutdown();
});
