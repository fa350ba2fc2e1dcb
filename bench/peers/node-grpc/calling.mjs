// Calls of the echo service by any library with grpc-js's client names, for so many seconds: prints what one call or message cost.
// Arguments: PORT MODE IN_FLIGHT SECONDS; MODE is unary, bidi (ping-pong on so many streams) or down (streams of 10,000 messages).
import { service } from "./echo.mjs";

const [port, mode, flying, seconds] = [process.argv[2], process.argv[3], Number(process.argv[4]), Number(process.argv[5])];
const question = { value: "abc", value2: 1 };
const LENGTH = 10_000;
const WARM_CALLS = 30_000;
const WARM_MS = 20_000;

function check(answer, number = 1) {
  if (answer.value !== "abc" || answer.value2 !== number) throw new Error(`BAD REPLY ${JSON.stringify(answer)}`);
}

export async function call({ makeGenericClientConstructor, credentials }) {
  const Client = makeGenericClientConstructor(service, "EchoService");
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
  await new Promise((resolve, reject) => client.waitForReady(Date.now() + 5_000, (error) => (error ? reject(error) : resolve())));
  let done = 0;
  let live = flying;
  let stopped = false;
  let over;
  const finished = new Promise((resolve) => (over = resolve));
  const leave = () => --live === 0 && over();
  // One sample in sixteen: the clock is no part of what is measured.
  const waits = [];
  const ways = {
    unary() {
      if (stopped) return leave();
      const began = (done & 15) === 0 ? performance.now() : 0;
      client.Echo(question, (error, answer) => {
        if (error) throw error;
        check(answer);
        if (began > 0) waits.push(performance.now() - began);
        done += 1;
        ways.unary();
      });
    },
    bidi() {
      const stream = client.EchoBidiStream();
      stream.on("data", (answer) => {
        check(answer);
        done += 1;
        if (stopped) stream.end();
        else stream.write(question);
      });
      stream.on("end", leave);
      stream.write(question);
    },
    down() {
      if (stopped) return leave();
      let number = 0;
      const stream = client.EchoServerStream({ value: "abc", value2: LENGTH });
      stream.on("data", (answer) => check(answer, ++number));
      stream.on("end", () => {
        done += number;
        ways.down();
      });
    },
  };
  for (let at = 0; at < flying; at += 1) ways[mode]();
  const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  // A crowded machine compiles late: what is measured has to be compiled, whoever is called.
  const warm = performance.now();
  do await pause(500);
  while (performance.now() - warm < 1_500 || (done < WARM_CALLS && performance.now() - warm < WARM_MS));
  console.log("measuring");
  const first = done;
  waits.length = 0;
  const cpu = process.cpuUsage();
  const began = performance.now();
  await pause(seconds * 1_000);
  const elapsed = performance.now() - began;
  const { user, system } = process.cpuUsage(cpu);
  const count = done - first;
  waits.sort((a, b) => a - b);
  const p99 = waits[Math.floor(waits.length * 0.99)] ?? null;
  console.log(JSON.stringify({ count, rate: (count / elapsed) * 1_000, cpu: (user + system) / count, p99, rss: process.memoryUsage().rss }));
  stopped = true;
  await finished;
  client.close();
}
