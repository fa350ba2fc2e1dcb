// What a client does with a server. Every exchange takes how many messages, and a function that notes what each took in milliseconds
// or null, when the clock is not read at all. Every reply is compared.

const MESSAGE = { value: "abc", value2: 1 };
const STREAM = 10_000;
/** Seconds by which an open loop may be behind. */
const BEHIND = 1;

function check({ value, value2 }, wanted) {
  if (value !== wanted.value || value2 !== wanted.value2) throw new Error(`the reply is ${JSON.stringify({ value, value2 })}`);
}

function checkBlob({ data }, wanted) {
  if (Buffer.compare(data, wanted.data) !== 0) throw new Error(`the reply has ${data.length} bytes, or others`);
}

/** The server is further behind than it may be. */
class Overload extends Error {
  status = "cannot";
}

/** `count` unary calls, so many open at once. */
const unary = (method, message, same, open) => (client, count, note) =>
  new Promise((resolve, reject) => {
    let begun = 0;
    let ended = 0;
    const next = () => {
      if (begun === count) return;
      begun += 1;
      const start = note === null ? 0 : performance.now();
      client.unary(method, message, (error, reply) => {
        if (error) return reject(error);
        if (note !== null) note(performance.now() - start);
        same(reply, message);
        ended += 1;
        if (ended === count) resolve();
        else next();
      });
    };
    for (let i = 0; i < open; i += 1) next();
  });

/**
 * An open loop: `count` unary calls at a fixed rate a second, however long others take. A call's time counts from when it was to
 * begin, not from when the client came to it, so that calls that wait for a busy client are not left out. The loop never sleeps:
 * timers are too coarse for it. Rejects with `Overload` where replies are further behind than `BEHIND`.
 */
export const atRate = (client, count, rate, note) =>
  new Promise((resolve, reject) => {
    const start = performance.now();
    let begun = 0;
    let ended = 0;
    const turn = () => {
      const now = performance.now();
      for (let due = start + (begun * 1e3) / rate; due <= now && begun < count; due = start + (begun * 1e3) / rate) {
        begun += 1;
        const planned = due;
        client.unary("Echo", MESSAGE, (error, reply) => {
          if (error) return reject(error);
          note(performance.now() - planned);
          check(reply, MESSAGE);
          ended += 1;
          if (ended === count) resolve();
        });
      }
      if (begun - ended > rate * BEHIND) reject(new Overload(`${rate} calls a second are more than it carries`));
      else if (begun < count) setImmediate(turn);
    };
    turn();
  });

/** Messages of server streams, one stream after the other. */
async function serverStream(client, count) {
  for (let left = count; left > 0; left -= STREAM) {
    let seen = 0;
    await client.serverStream({ ...MESSAGE, value2: STREAM }, (reply) => {
      seen += 1;
      check(reply, { value: MESSAGE.value, value2: seen });
    });
    if (seen !== STREAM) throw new Error(`${seen} messages came`);
  }
}

/** A message at a time there and back on each of so many streams. */
const pingPong = (streams) => async (client, count, note) => {
  const each = Math.ceil(count / streams);
  const one = () => {
    let last = performance.now();
    return client.pingPong(MESSAGE, each, (reply) => {
      check(reply, MESSAGE);
      if (note === null) return;
      const now = performance.now();
      note(now - last);
      last = now;
    });
  };
  await Promise.all(Array.from({ length: streams }, one));
};

/** Ours and the one that it replaces. */
const PAIR = ["samewire", "grpc-js"];

/** By workload: `exchange`; `multiple`, what counts are multiples of; `first`, how many messages to begin with; `timed`, whether single messages are; `large`, whether memory is of interest; `peers`, which clients, where not all. */
export const EXCHANGES = {
  "unary-100": { exchange: unary("Echo", MESSAGE, check, 100), multiple: 100, first: 2_000, timed: true },
  "unary-1": { exchange: unary("Echo", MESSAGE, check, 1), multiple: 1, first: 500, timed: true },
  "unary-1MB": { exchange: unary("EchoBlob", { data: Buffer.alloc(1 << 20, "samewire") }, checkBlob, 2), multiple: 2, first: 4, timed: false, large: true, peers: PAIR },
  "unary-64MB": { exchange: unary("EchoBlob", { data: Buffer.alloc(64 << 20, "samewire") }, checkBlob, 1), multiple: 1, first: 1, timed: false, large: true, peers: PAIR },
  "server-stream": { exchange: serverStream, multiple: STREAM, first: STREAM, timed: false },
  "bidi-100": { exchange: pingPong(100), multiple: 100, first: 2_000, timed: true },
  "bidi-1": { exchange: pingPong(1), multiple: 1, first: 500, timed: true, peers: PAIR },
};
