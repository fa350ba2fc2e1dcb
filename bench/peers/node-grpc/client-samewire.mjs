import * as grpc from "../../../typescript/dist/src/grpc/index.js";
import { call } from "./calling.mjs";

await call(grpc);
