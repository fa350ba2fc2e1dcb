// Clients of the echo service, one shape for all libraries:
//   unary(method, message, done)             one call; `done(error, reply)`
//   serverStream(message, seen)              calls `seen` with each message; a promise of the end
//   pingPong(message, count, seen)           `count` messages on one stream, each after the reply to the one before

import { UNBOUNDED } from "./serving.mjs";

/** A library that has grpc-js's names. */
function named({ credentials, makeClientConstructor }, service, port) {
  const Echo = makeClientConstructor(service, "EchoService");
  const client = new Echo(`127.0.0.1:${port}`, credentials.createInsecure(), UNBOUNDED);
  return {
    unary: (method, message, done) => client[method](message, done),
    serverStream: (message, seen) =>
      new Promise((resolve, reject) => client.EchoServerStream(message).on("data", seen).on("error", reject).on("end", resolve)),
    pingPong: (message, count, seen) =>
      new Promise((resolve, reject) => {
        let left = count;
        const call = client.EchoBidiStream();
        call.on("data", (reply) => {
          seen(reply);
          left -= 1;
          if (left > 0) call.write(message);
          else call.end();
        });
        call.on("error", reject);
        call.on("end", resolve);
        call.write(message);
      }),
  };
}

/** A library whose calls are promises and async iterables; `spelled` makes its name of a method. */
function promised(client, spelled) {
  return {
    unary(method, message, done) {
      client[spelled(method)](message).then((reply) => done(null, reply), done);
    },
    async serverStream(message, seen) {
      for await (const reply of client[spelled("EchoServerStream")](message)) seen(reply);
    },
    async pingPong(message, count, seen) {
      let answered;
      const requests = async function* () {
        for (let sent = 0; sent < count; sent += 1) {
          const reply = new Promise((resolve) => (answered = resolve));
          yield message;
          await reply;
        }
      };
      for await (const reply of client[spelled("EchoBidiStream")](requests())) {
        seen(reply);
        answered();
      }
    },
  };
}

/** By the name of their rows: a client that calls the server on that port. */
export const CLIENTS = {
  async samewire(port) {
    const library = await import("../../../typescript/dist/node/grpc/index.mjs");
    const { service } = await import("./definition.mjs");
    return named(library, service, port);
  },
  async "samewire-async"(port) {
    const { createClient } = await import("../../../typescript/dist/node/grpc/index.mjs");
    const { service } = await import("./definition.mjs");
    return promised(createClient(service, `127.0.0.1:${port}`, UNBOUNDED), (method) => method);
  },
  async "grpc-js"(port) {
    const { default: library } = await import("@grpc/grpc-js");
    const { service } = await import("./definition.mjs");
    return named(library, service, port);
  },
  async "nice-grpc"(port) {
    const { default: nice } = await import("nice-grpc");
    const { service } = await import("./definition.mjs");
    const channel = nice.createChannel(`127.0.0.1:${port}`, undefined, UNBOUNDED);
    return promised(nice.createClient(service, channel), (method) => method);
  },
  async "connect-node"(port) {
    const { createClient } = await import("@connectrpc/connect");
    const { createGrpcTransport } = await import("@connectrpc/connect-node");
    const { service, spelled } = await import("./connect-service.mjs");
    const client = createClient(service, createGrpcTransport({ baseUrl: `http://127.0.0.1:${port}` }));
    return promised(client, spelled);
  },
};
