// The echo service for any library with grpc-js's names: every peer runs these very handlers.
import { service } from "./definition.mjs";
import { STREAMS, UNBOUNDED, ready, settings } from "./serving.mjs";

const echo = (call, callback) => callback(null, call.request);
const handlers = {
  Echo: echo,
  EchoBlob: echo,
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

/** Serves echo with a library that has grpc-js's names. */
export function serve({ Server, ServerCredentials }) {
  const { address, tls } = settings;
  const credentials =
    tls === null ? ServerCredentials.createInsecure() : ServerCredentials.createSsl(null, [{ private_key: tls.key, cert_chain: tls.cert }]);
  const server = new Server({ "grpc.max_concurrent_streams": STREAMS, ...UNBOUNDED });
  server.addService(service, handlers);
  server.bindAsync(address, credentials, (error, port) => {
    if (error) throw error;
    ready(port);
  });
}
