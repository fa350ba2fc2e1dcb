import assert from "node:assert/strict";
import { test } from "node:test";
import * as samewire from "../../src/grpc/index.js";
import type { ServerUnaryCall, sendUnaryData } from "../../src/grpc/index.js";
import { Stage, same } from "./same-program.js";
import { logging } from "./serving.js";
import type { Note } from "./serving.js";

const MALFORMED = ["foo:bar:baz", "http://localhost:1", "foo:///x", "ipv4:notip:5", "ipv4:", "ipv6:zz", "unix:", "[::1", "host:", "localhost:abc", "dns:", "ipv4:127.0.0.1:1,", "127.0.0.1:99999"];

const echo = {
  Unary(call: ServerUnaryCall<Note, Note>, callback: sendUnaryData<Note>) {
    callback(null, { text: call.getHost().replace(/\d+$/, "port") });
  },
};

same("a client of a malformed target is made, and its calls fail", async (stage) => {
  const outcomes: unknown[] = [];
  for (const target of MALFORMED) {
    const client = stage.client(target);
    const outcome = await stage.unary(client, { text: "" }, new stage.grpc.Metadata(), { deadline: Date.now() + 10_000 });
    outcomes.push([target, outcome.slice(0, 3), client.getChannel().getConnectivityState(false)]);
  }
  assert.throws(() => stage.client(""), /^Error: Could not parse target name ""$/);
  return outcomes;
});

test("a call to a malformed target says what is wrong with it", async (context) => {
  const stage = new Stage(samewire, context);
  assert.equal(await stage.unary(stage.client("ipv4:notip:5"), { text: "" }), `${samewire.status.UNAVAILABLE} ipv4:notip:5: 'notip' is not an ipv4 address`);
});

same("a malformed address comes back to the callback of bindAsync", async (stage) => {
  const server = new stage.grpc.Server();
  const outcomes: unknown[] = [];
  for (const address of ["foo:bar:baz", "host:abc", "unix:", "[::1", "ipv4:zz:1", "foo:///x"]) {
    outcomes.push(await new Promise((resolve) => {
      server.bindAsync(address, stage.grpc.ServerCredentials.createInsecure(), (error, port) => { resolve([address, error instanceof Error, port]); });
    }));
  }
  assert.throws(() => { server.bindAsync("", stage.grpc.ServerCredentials.createInsecure(), () => undefined); }, /^Error: Could not parse port ""$/);
  server.forceShutdown();
  return outcomes;
});

same("the authority of a call is the target's, also if certificates are checked for another name", async (stage) => {
  const address = await stage.serve(echo);
  const outcomes: string[] = [];
  for (const options of [{}, { "grpc.ssl_target_name_override": "other.example" }, { "grpc.default_authority": "one.example:7" }]) {
    outcomes.push(await stage.unary(stage.client(address, options), { text: "" }));
  }
  return outcomes;
});

test("metadata that would end the connection fails its call alone, requests' and replies'", async (context) => {
  logging(context);
  const stage = new Stage(samewire, context);
  const large = new samewire.Metadata();
  large.set("large", "x".repeat(200_000));
  const address = await stage.serve({
    Unary(call: ServerUnaryCall<Note, Note>, callback: sendUnaryData<Note>) {
      if (call.request.text === "head") call.sendMetadata(large);
      callback(null, { text: "here" }, call.request.text === "trailers" ? large : undefined);
    },
  });
  const client = stage.client(address);
  assert.equal(await stage.unary(client, { text: "" }), "reply here");
  assert.match(await stage.unary(client, { text: "" }, large), /^8 Metadata of 200\d\d\d bytes is over the server's limit of 65536: .*samewire\.http2\.maxHeaderListBytes/);
  assert.match(await stage.unary(client, { text: "head" }), /^8 Metadata of 200\d\d\d bytes is over the client's limit: .*samewire\.http2\.maxHeaderListBytes/);
  assert.match(await stage.unary(client, { text: "trailers" }), /^8 Trailers of 200\d\d\d bytes are over the client's limit: .*samewire\.http2\.maxHeaderListBytes/);
  assert.equal(await stage.unary(client, { text: "" }), "reply here", "and its connection goes on");
});
