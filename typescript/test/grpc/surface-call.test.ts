import assert from "node:assert/strict";
import type { Writable } from "node:stream";
import { after, test } from "node:test";
import * as grpcJs from "@grpc/grpc-js";
import { Client, Server, ServerCredentials, credentials, status, type sendUnaryData, type ServerDuplexStream, type ServerReadableStream, type StatusObject, type SurfaceCall } from "../../src/grpc/index.js";

/* `call` of each kind of client call, with and without interceptors, in grpc-js and in ours. */

const bytes = (value: Buffer): Buffer => value;
const both = { requestSerialize: bytes, requestDeserialize: bytes, responseSerialize: bytes, responseDeserialize: bytes };
const service = {
  Unary: { path: "/test.Calls/Unary", requestStream: false, responseStream: false, ...both },
  Up: { path: "/test.Calls/Up", requestStream: true, responseStream: false, ...both },
  Down: { path: "/test.Calls/Down", requestStream: false, responseStream: true, ...both },
  Both: { path: "/test.Calls/Both", requestStream: true, responseStream: true, ...both },
};

const server = new Server();
server.addService(service, {
  // Never answered: these calls are there to be cancelled.
  Unary: () => undefined,
  Up(call: ServerReadableStream<Buffer, Buffer>, callback: sendUnaryData<Buffer>) {
    const parts: Buffer[] = [];
    call.on("data", (part: Buffer) => parts.push(part)).on("end", () => { callback(null, Buffer.concat(parts)); });
  },
  Down: () => undefined,
  Both(call: ServerDuplexStream<Buffer, Buffer>) {
    call.on("data", (part: Buffer) => { call.write(part); }).on("end", () => { call.end(); });
  },
});
const port = await new Promise<number>((resolve, reject) => {
  server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) => { if (error === null) resolve(bound); else reject(error); });
});
after(() => { server.forceShutdown(); });
const target = `127.0.0.1:${port}`;

const pass = (options: never, next: (options: never) => never): never => next(options);
const makers = {
  "ours": () => new Client(target, credentials.createInsecure()),
  "ours, with an interceptor": () => new Client(target, credentials.createInsecure(), { interceptors: [pass as never] }),
  "grpc-js": () => new grpcJs.Client(target, grpcJs.credentials.createInsecure()) as unknown as Client,
};
const NAMES = ["cancelWithStatus", "getAuthContext", "getPeer", "halfClose", "sendMessage", "sendMessageWithContext", "start", "startRead"] as const;

for (const [name, make] of Object.entries(makers)) {
  test(`every kind of call has grpc-js's \`call\` and can be cancelled by it (${name})`, async () => {
    const client = make();
    const ended = (call: NodeJS.EventEmitter): Promise<StatusObject> => {
      call.on("error", () => undefined);
      return new Promise((resolve) => { call.once("status", resolve); });
    };
    const nothing = (): void => undefined;
    const calls = [
      client.makeUnaryRequest(service.Unary.path, bytes, bytes, Buffer.from("x"), nothing),
      client.makeClientStreamRequest(service.Up.path, bytes, bytes, nothing),
      client.makeServerStreamRequest(service.Down.path, bytes, bytes, Buffer.from("x")),
      client.makeBidiStreamRequest(service.Both.path, bytes, bytes),
    ];
    for (const call of calls) {
      const beneath = call.call!;
      assert.equal(call.call, beneath);
      for (const name of NAMES) assert.equal(typeof beneath[name], "function", name);
      assert.ok([target, `dns:${target}`].includes(beneath.getPeer()), beneath.getPeer());
      assert.equal(call.getPeer(), beneath.getPeer());
      const end = ended(call);
      beneath.cancelWithStatus(status.ABORTED, "by hand");
      const given = await end;
      assert.deepEqual([given.code, given.details], [status.ABORTED, "by hand"]);
    }
    client.close();
  });

  test(`messages go out by \`call\`, and a program may put its own there (${name})`, async () => {
    const client = make();
    const gathered = await new Promise<Buffer>((resolve, reject) => {
      const up: Writable & SurfaceCall = client.makeClientStreamRequest(service.Up.path, bytes, bytes, (error: Error | null, value?: Buffer) => {
        if (error === null) resolve(value!);
        else reject(error);
      });
      up.write(Buffer.from("a"), () => {
        up.call!.sendMessageWithContext({}, Buffer.from("b"));
        up.call!.halfClose();
      });
    });
    assert.equal(gathered.toString(), "ab");

    const log: string[] = [];
    const echo = client.makeBidiStreamRequest<Buffer, Buffer>(service.Both.path, bytes, bytes);
    const beneath = echo.call!;
    echo.call = new Proxy(beneath, {
      get(_target, property) {
        return (...rest: unknown[]) => {
          log.push(String(property));
          return (beneath as unknown as Record<PropertyKey, (...rest: unknown[]) => unknown>)[property]!(...rest);
        };
      },
    });
    echo.end(Buffer.from("c"));
    const parts: Buffer[] = [];
    for await (const part of echo) parts.push(part as Buffer);
    assert.equal(Buffer.concat(parts).toString(), "c");
    assert.deepEqual([...new Set(log)].sort(), ["halfClose", "sendMessageWithContext", "startRead"]);
    client.close();
  });
}
