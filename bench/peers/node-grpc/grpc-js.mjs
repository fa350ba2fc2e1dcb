import grpc from "@grpc/grpc-js";
import { serve } from "./echo.mjs";

serve(grpc);
