// What every server program here has in common: its command line, `PROGRAM [HOST:PORT [--tls KEY CERT]]`, and how it ends.

import { readFileSync } from "node:fs";

const [address = "127.0.0.1:0", tls, key, cert] = process.argv.slice(2);

/** Where to listen, and for TLS the key and the certificate. */
export const settings = {
  address,
  host: address.slice(0, address.lastIndexOf(":")),
  port: Number(address.slice(address.lastIndexOf(":") + 1)),
  tls: tls === "--tls" ? { key: readFileSync(key), cert: readFileSync(cert) } : null,
};

/** How many calls one connection may have open, in every server. */
export const STREAMS = 1_000;

/** No limit to the length of a message. */
export const UNBOUNDED = { "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 };

/** Prints {"port": …}; the end of stdin ends the program. */
export function ready(port) {
  console.log(JSON.stringify({ port }));
  process.stdin.resume().on("end", () => process.exit());
}
