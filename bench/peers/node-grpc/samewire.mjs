import * as grpc from "../../../typescript/dist/src/grpc/index.js";
import { serve } from "./echo.mjs";

serve(grpc);
