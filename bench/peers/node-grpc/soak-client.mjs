// One library's client in a soak: `node soak-client.mjs LIBRARY PORT SECONDS`. Every reply is compared. It prints what it did as one
// line of JSON: calls, messages sent and received of calls that ended well, calls that it cancelled or that timed out, and what was wrong.

import { setTimeout as sleep } from "node:timers/promises";
import { service } from "./definition.mjs";

const LIBRARIES = {
  samewire: () => import("../../../typescript/dist/node/grpc/index.mjs"),
  "grpc-js": () => import("@grpc/grpc-js"),
};
/** Calls open at once, milliseconds between two of them, and calls after which a connection is made anew. */
const WORKERS = 20, PAUSE = 10, RENEWED = 500;
const STREAMED = 10;

const [library, port, seconds] = process.argv.slice(2);
const { default: grpc } = await LIBRARIES[library]();
const Echo = grpc.makeClientConstructor(service, "EchoService");
const until = Date.now() + Number(seconds) * 1e3;
const did = { calls: 0, sent: 0, received: 0, cancelled: 0, late: 0, wrong: [] };

const wrong = (text) => {
  if (did.wrong.length < 20) did.wrong.push(text);
};
function expect(reply, wanted, what) {
  did.received += 1;
  if (reply?.value !== wanted.value || reply?.value2 !== wanted.value2) wrong(`${what}: ${JSON.stringify(reply)} instead of ${JSON.stringify(wanted)}`);
}

/** A stream's messages in order; rejects with its error. */
const read = (call, each) => new Promise((resolve, reject) => call.on("data", each).on("error", reject).on("end", resolve));

const KINDS = [
  (client, value) => new Promise((resolve, reject) => {
    const message = { value, value2: 7 };
    did.sent += 1;
    client.Echo(message, (error, reply) => {
      if (error) return reject(error);
      expect(reply, message, "unary");
      resolve();
    });
  }),
  async (client, value) => {
    did.sent += 1;
    let seen = 0;
    await read(client.EchoServerStream({ value, value2: STREAMED }), (reply) => expect(reply, { value, value2: (seen += 1) }, "server stream"));
    if (seen !== STREAMED) wrong(`server stream: ${seen} of ${STREAMED} messages`);
  },
  (client, value) => new Promise((resolve, reject) => {
    const call = client.EchoClientStream((error, reply) => {
      if (error) return reject(error);
      expect(reply, { value, value2: STREAMED }, "client stream");
      resolve();
    });
    for (let value2 = 1; value2 <= STREAMED; value2 += 1, did.sent += 1) call.write({ value, value2 });
    call.end();
  }),
  async (client, value) => {
    const call = client.EchoBidiStream();
    let seen = 0;
    const ended = read(call, (reply) => expect(reply, { value, value2: (seen += 1) }, "bidi"));
    for (let value2 = 1; value2 <= STREAMED; value2 += 1, did.sent += 1) call.write({ value, value2 });
    call.end();
    await ended;
    if (seen !== STREAMED) wrong(`bidi: ${seen} of ${STREAMED} messages`);
  },
  async (client, value) => {
    const call = client.EchoBidiStream();
    call.write({ value: `cancelled ${value}`, value2: 1 });
    const code = await read(call, () => call.cancel()).then(() => 0, (error) => error.code);
    if (code !== grpc.status.CANCELLED) wrong(`cancelled: status ${code}`);
    did.cancelled += 1;
  },
  async (client, value) => {
    const code = await new Promise((resolve) => client.Echo({ value: `late ${value}`, value2: 1 }, { deadline: Date.now() + 50 }, (error) => resolve(error?.code ?? 0)));
    if (code !== grpc.status.DEADLINE_EXCEEDED) wrong(`late: status ${code}`);
    did.late += 1;
  },
];

async function worker(number) {
  let client = null;
  for (let made = 0; Date.now() < until; made += 1) {
    if (made % RENEWED === 0) {
      client?.close();
      client = new Echo(`127.0.0.1:${port}`, grpc.credentials.createInsecure(), { "grpc.use_local_subchannel_pool": 1 });
    }
    did.calls += 1;
    await KINDS[made % KINDS.length](client, `kept ${library} ${number} ${made}`).catch((error) => wrong(`call ${made}: ${error.message}`));
    await sleep(PAUSE);
  }
  client?.close();
}

await Promise.all(Array.from({ length: WORKERS }, (_, number) => worker(number)));
console.log(JSON.stringify(did));
process.exit();
