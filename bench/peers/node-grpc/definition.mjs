// echo.proto as proto-loader reads it: what libraries with grpc-js's names, and nice-grpc, take.

import { fileURLToPath } from "node:url";
import { loadSync } from "@grpc/proto-loader";

/** The echo service. */
export const service = loadSync(fileURLToPath(new URL("echo.proto", import.meta.url))).EchoService;
