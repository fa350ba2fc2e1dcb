import * as grpc from "@grpc/grpc-js";
import { call } from "./calling.mjs";

await call(grpc);
