// The echo service for any library with grpc-js's names: every peer runs these very handlers.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { loadSync } from "@grpc/proto-loader";

export const definition = loadSync(fileURLToPath(new URL("echo.proto", import.meta.url)));
export const service = definition.EchoService;

const handlers = {
  Echo(call, callback) {
    callback(null, call.request);
  },
  EchoServerStream(call) {
    const { value, value2 } = call.request;
    let sent = 0;
    const write = () => {
      while (sent < value2) {
        sent += 1;
        if (!call.write({ value, value2: sent })) return call.once("drain", write);
      }
      call.end();
    };
    write();
  },
  EchoClientStream(call, callback) {
    let last = null;
    call.on("data", (message) => (last = message));
    call.on("end", () => callback(null, last));
  },
  EchoBidiStream(call) {
    call.on("data", (message) => {
      if (!call.write(message)) {
        call.pause();
        call.once("drain", () => call.resume());
      }
    });
    call.on("end", () => call.end());
  },
};

/**
 * Serves `HOST:PORT [--tls KEY CERT]` (default 127.0.0.1:0), prints {"port": …}, and answers each line on stdin with
 * {"cpu": microseconds, "rss": bytes}; the end of stdin ends it.
 */
export function serve({ Server, ServerCredentials }) {
  const [address = "127.0.0.1:0", tls, key, cert] = process.argv.slice(2);
  const credentials =
    tls === "--tls"
      ? ServerCredentials.createSsl(null, [{ private_key: readFileSync(key), cert_chain: readFileSync(cert) }])
      : ServerCredentials.createInsecure();
  const server = new Server({ "grpc.max_concurrent_streams": 1_000 });
  server.addService(service, handlers);
  server.bindAsync(address, credentials, (error, port) => {
    if (error) throw error;
    console.log(JSON.stringify({ port }));
  });
  createInterface({ input: process.stdin })
    .on("line", () => {
      const { user, system } = process.cpuUsage();
      console.log(JSON.stringify({ cpu: user + system, rss: process.memoryUsage().rss }));
    })
    .on("close", () => process.exit());
}
