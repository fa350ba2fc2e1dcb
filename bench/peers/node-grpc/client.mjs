// Calls of one library's client: `node client.mjs LIBRARY PORT SHAPE` makes as many messages as each line on stdin says and prints what
// they took, {"cpu": ns, "wall": ns, "p99": ns}; the end of stdin ends it. Every reply is compared.

import { createInterface } from "node:readline";
import { MESSAGE, libraries } from "./libraries.mjs";
import { service } from "./echo.mjs";

const STREAM = 10_000;

const [library, port, shape] = process.argv.slice(2);
const { credentials, makeClientConstructor } = await libraries[library]();
const Echo = makeClientConstructor(service, "EchoService");
const client = new Echo(`127.0.0.1:${port}`, credentials.createInsecure(), {
  "grpc.max_receive_message_length": -1,
  "grpc.max_send_message_length": -1,
});

function check({ value, value2 }, wanted) {
  if (value !== wanted.value || value2 !== wanted.value2) throw new Error(`the reply is ${JSON.stringify({ value, value2 })}`);
}

function checkBlob({ data }, wanted) {
  if (!data.equals(wanted.data)) throw new Error(`the reply has ${data.length} bytes, or others`);
}

/** `count` unary calls, so many open at once; notes what each took. */
const unary = (method, message, same, open) => (count, times) =>
  new Promise((resolve, reject) => {
    let begun = 0;
    let ended = 0;
    const next = () => {
      if (begun === count) return;
      begun += 1;
      const start = process.hrtime.bigint();
      client[method](message, (error, reply) => {
        if (error) return reject(error);
        same(reply, message);
        times.push(Number(process.hrtime.bigint() - start));
        ended += 1;
        if (ended === count) resolve();
        else next();
      });
    };
    for (let i = 0; i < open; i += 1) next();
  });

/** Messages of server streams, one stream after the other. */
async function serverStream(count) {
  for (let left = count; left > 0; left -= STREAM) {
    await new Promise((resolve, reject) => {
      let seen = 0;
      const call = client.EchoServerStream({ ...MESSAGE, value2: STREAM });
      call.on("data", (reply) => check(reply, { ...MESSAGE, value2: (seen += 1) }));
      call.on("error", reject);
      call.on("end", () => (seen === STREAM ? resolve() : reject(new Error(`${seen} messages came`))));
    });
  }
}

/** A message at a time there and back on each of so many streams. */
const pingPong = (streams) => async (count, times) => {
  const each = Math.ceil(count / streams);
  const one = () =>
    new Promise((resolve, reject) => {
      let seen = 0;
      let start = process.hrtime.bigint();
      const call = client.EchoBidiStream();
      call.on("data", (reply) => {
        check(reply, MESSAGE);
        const now = process.hrtime.bigint();
        times.push(Number(now - start));
        start = now;
        seen += 1;
        if (seen < each) call.write(MESSAGE);
        else call.end();
      });
      call.on("error", reject);
      call.on("end", resolve);
      call.write(MESSAGE);
    });
  await Promise.all(Array.from({ length: streams }, one));
};

const SHAPES = {
  "unary-100": unary("Echo", MESSAGE, check, 100),
  "unary-1": unary("Echo", MESSAGE, check, 1),
  "unary-1MB": unary("EchoBlob", { data: Buffer.alloc(1 << 20, "samewire") }, checkBlob, 2),
  "unary-64MB": unary("EchoBlob", { data: Buffer.alloc(64 << 20, "samewire") }, checkBlob, 1),
  "server-stream": serverStream,
  "bidi-100": pingPong(100),
  "bidi-1": pingPong(1),
};

for await (const line of createInterface({ input: process.stdin })) {
  const times = [];
  const cpu = process.cpuUsage();
  const start = process.hrtime.bigint();
  await SHAPES[shape](Number(line), times);
  const wall = Number(process.hrtime.bigint() - start);
  const { user, system } = process.cpuUsage(cpu);
  times.sort((a, b) => a - b);
  console.log(JSON.stringify({ cpu: (user + system) * 1e3, wall, p99: times[Math.floor(times.length * 0.99)] ?? null }));
}
process.exit();
