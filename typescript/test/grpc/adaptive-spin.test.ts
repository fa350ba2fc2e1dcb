import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import { test } from "node:test";
import { http2 } from "../../src/grpc/transport/link.js";
import { AdaptiveSpin, adaptiveSpin } from "../../src/transport/adaptive-spin.js";
import { SocketLink } from "../../src/transport/socket-link.js";
import { Echo } from "./echo.js";
import { frame, prefaceOf } from "./journal.js";
import { connect, startPeer, unary } from "./peers.js";

test("servers and clients spin after a small message on its own, unless the option is off", async (context) => {
  const begin = context.mock.method(adaptiveSpin, "begin");
  for (const [server, client] of [[0, 0], [1, 0], [0, 1], [undefined, undefined]]) {
    const peer = await startPeer("samewire", undefined, undefined, server === undefined ? {} : { "samewire.adaptive_spin": server });
    const caller = connect(peer, client === undefined ? {} : { "samewire.adaptive_spin": client });
    begin.mock.resetCalls();
    for (let call = 0; call < 10; call += 1) await unary(caller, { number: call });
    const sides = [server, client].filter((side) => side !== 0).length;
    const begun = begin.mock.callCount();
    assert.ok(sides === 0 ? begun === 0 : begun >= 10 * sides, `${begun} times with ${sides} sides`);
    caller.close();
    peer.stop();
  }
});

test("no spin after a long write", async () => {
  const plain = new Duplex({
    read: () => undefined,
    write: (_chunk, _encoding, done) => { done(); },
  });
  const socket = Object.assign(plain, { setNoDelay: () => undefined }) as unknown as Socket;
  let begun = 0;
  const counting = { begin: () => { begun += 1; }, end: () => undefined } as unknown as AdaptiveSpin;
  const link = new SocketLink(socket, http2("client", {}, () => new Echo()), { splitReads: true, stallMs: undefined, spin: counting, readBuffer: null, path: undefined });
  const read = async (...frames: Uint8Array[]): Promise<number> => {
    begun = 0;
    const bytes = Buffer.concat(frames);
    link.receive(bytes, 0, bytes.length);
    for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    return begun;
  };
  const ping = frame(6, 0, 0, new Uint8Array(8));
  await read(prefaceOf("server"));
  assert.equal(await read(ping), 1);
  assert.equal(await read(...Array.from({ length: 100 }, () => ping)), 0, "1,700 bytes of answers");
  assert.equal(await read(ping), 0, "the last write was long: more may follow, and is gathered");
  assert.equal(await read(ping), 1);
  link.destroy();
});
