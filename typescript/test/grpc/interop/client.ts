// A client of gRPC's interoperability tests: `node client.js ADDRESS [CASE…]` runs the cases named, or all, and says
// how each went.

import { credentials } from "../../../src/grpc/index.js";
import { CASES, runCase } from "./cases.js";

const [address, ...wanted] = process.argv.slice(2);
if (address === undefined) throw new Error("usage: client.js ADDRESS [CASE…]");
for (const name of wanted.length > 0 ? wanted : Object.keys(CASES)) {
  try {
    await runCase(name, address, credentials.createInsecure());
    console.log(`${name}: passed`);
  } catch (error) {
    process.exitCode = 1;
    console.log(`${name}: failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}
