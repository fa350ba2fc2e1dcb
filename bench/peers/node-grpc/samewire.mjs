import * as grpc from "../../../typescript/dist/node/grpc/index.mjs";
import { serve } from "./echo.mjs";

serve(grpc);
