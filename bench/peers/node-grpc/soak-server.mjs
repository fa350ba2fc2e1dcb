// The echo service for a soak: it counts what comes. `node --expose-gc soak-server.mjs`, forked; it tells its port, and what it has
// seen whenever it is asked.

import grpc from "../../../typescript/dist/node/grpc/index.mjs";
import { service } from "./definition.mjs";

const seen = { messages: 0, begun: 0, ended: 0 };
/** Messages of calls that are cancelled or time out may come or not: they are not counted. */
const count = ({ value }) => {
  if (value.startsWith("kept")) seen.messages += 1;
};

/** Counts a call as ended exactly when it is over: answered, or cancelled. */
function begun(call) {
  seen.begun += 1;
  let open = true;
  const end = () => {
    if (open) seen.ended += 1;
    open = false;
  };
  call.on("cancelled", end);
  return end;
}

const handlers = {
  Echo(call, callback) {
    const end = begun(call);
    count(call.request);
    if (call.request.value.startsWith("late")) return;
    callback(null, call.request);
    end();
  },
  EchoServerStream(call) {
    const end = begun(call);
    count(call.request);
    const { value, value2 } = call.request;
    for (let sent = 1; sent <= value2; sent += 1) call.write({ value, value2: sent });
    call.end();
    end();
  },
  EchoClientStream(call, callback) {
    const end = begun(call);
    let last = null;
    call.on("data", (message) => {
      count(message);
      last = message;
    });
    call.on("end", () => {
      callback(null, last);
      end();
    });
  },
  EchoBidiStream(call) {
    const end = begun(call);
    call.on("data", (message) => {
      count(message);
      call.write(message);
    });
    call.on("end", () => {
      call.end();
      end();
    });
  },
};

const server = new grpc.Server();
server.addService(service, handlers);
server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  process.send({ port });
});
process.on("message", () => {
  globalThis.gc();
  process.send({ ...seen, heap: process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers, connections: server.getStatistics().connections });
});
process.on("disconnect", () => process.exit());
