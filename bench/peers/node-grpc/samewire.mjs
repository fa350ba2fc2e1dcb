import * as grpc from "../../../typescript/dist/lib/grpc/index.js";
import { serve } from "./echo.mjs";

serve(grpc);
