// Calls over grpc-js-xds: a control plane tells where they go, how long they take, which are repeated and which fail.

const grpc = require("@grpc/grpc-js");
const { loadSync } = require("@grpc/proto-loader");
const xds = require("@grpc/grpc-js-xds");
const { ControlPlane, fault } = require("./xds-control.cjs");

const { Notes } = grpc.loadPackageDefinition(loadSync(`${__dirname}/note.proto`)).notes;
const { status } = grpc;
const SECOND = { seconds: 1, nanos: 0 };
const milliseconds = (count) => ({ seconds: 0, nanos: count * 1e6 });
const always = { numerator: 100, denominator: "HUNDRED" };

/** A server that answers with its name, or as the request says. */
function serve(name) {
  const server = new grpc.Server();
  server.addService(Notes.service, {
    Get({ request: { text }, metadata }, callback) {
      const attempts = Number(metadata.get("grpc-previous-rpc-attempts")[0] ?? 0);
      if (text === "never") return;
      if (text === "twice" && attempts < 2) return callback({ code: status.UNAVAILABLE, details: `attempt ${attempts}` });
      if (text === "fail" && name === "two") return callback({ code: status.INTERNAL, details: name });
      callback(null, { text: attempts > 0 ? `${name} after ${attempts}` : name });
    },
    Both(call) {
      call.on("data", ({ text }) => call.write({ text: `${name} ${text}` }));
      call.on("end", () => call.end());
    },
  });
  return new Promise((resolve, reject) => server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => (error ? reject(error) : resolve({ server, port }))));
}

/** Asks until that many answers one after the other are right. */
async function settled(ask, right, many = 4) {
  const end = Date.now() + 10_000;
  for (let found = 0; found < many; ) {
    const answer = await ask();
    found = right(answer) ? found + 1 : 0;
    if (Date.now() > end) throw new Error(`${answer} is still the answer`);
    if (found === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

async function counted(ask, calls) {
  const counts = {};
  for (let call = 0; call < calls; call += 1) {
    const answer = await ask();
    counts[answer] = (counts[answer] ?? 0) + 1;
  }
  return counts;
}

async function main() {
  const control = new ControlPlane();
  process.env.GRPC_XDS_BOOTSTRAP_CONFIG = await control.start();
  xds.register();
  const servers = await Promise.all(["one", "two", "three"].map(serve));
  const [one, two, three] = servers.map(({ port }) => port);
  const to = (cluster, more = {}, match = {}) => ({ name: cluster, match: { prefix: "/", ...match }, route: { cluster, ...more } });

  control.listen("greeter");
  control.route("greeter", [to("main")]);
  control.cluster("main");
  control.endpoints("main", [one, two]);
  const client = new Notes("xds:///greeter", grpc.credentials.createInsecure());
  const get = (text = "", fields = {}, deadline = 20_000) =>
    new Promise((resolve) => {
      client.Get({ text }, grpc.Metadata.fromHttp2Headers(fields), { deadline: Date.now() + deadline }, (error, note) => resolve(error ? `${status[error.code]} ${error.details.replace(/ after.*/, "")}` : note.text));
    });

  const heard = new Set();
  await settled(async () => heard.add(await get()).size, (size) => size === 2);
  const shares = await counted(get, 10);
  console.log("round robin:", shares.one, shares.two);

  const call = client.Both();
  call.write({ text: "a" });
  call.write({ text: "b" });
  call.end();
  const texts = [];
  for await (const { text } of call) texts.push(text.split(" ")[1]);
  console.log("stream:", texts.join());

  control.endpoints("main", [one]);
  await settled(get, (answer) => answer === "one");
  console.log("without two:", await counted(get, 6));

  control.cluster("other");
  control.endpoints("other", [three]);
  control.route("greeter", [to("other", {}, { headers: [{ name: "lane", string_match: { exact: "new" } }] }), to("other", {}, { path: "/notes.Notes/Both" }), to("main")]);
  await settled(() => get("", { lane: "new" }), (answer) => answer === "three");
  console.log("by header:", await get("", { lane: "new" }), await get("", { lane: "old" }), await get());

  const split = (left, right) => ({ match: { prefix: "/" }, route: { weighted_clusters: { clusters: [{ name: "main", weight: { value: left } }, { name: "other", weight: { value: right } }] } } });
  control.route("greeter", [split(0, 10)]);
  await settled(get, (answer) => answer === "three");
  console.log("weights 0 and 10:", await counted(get, 20));
  control.route("greeter", [split(50, 50)]);
  const both = await (async () => {
    await settled(get, (answer) => answer === "one", 1);
    return counted(get, 200);
  })();
  console.log("weights 50 and 50:", both.one > 50, both.three > 50, both.one + both.three);

  control.route("greeter", [to("main", { max_stream_duration: { max_stream_duration: milliseconds(200) } })]);
  await settled(() => get("never", {}, 1_000).then(async (answer) => ((await get()) === "one" ? answer : "")), (answer) => answer.startsWith("DEADLINE_EXCEEDED"), 1);
  const before = Date.now();
  console.log("timeout:", await get("never"), Date.now() - before < 5_000);

  control.route("greeter", [to("main", { retry_policy: { retry_on: "unavailable,cancelled", num_retries: { value: 2 }, retry_back_off: { base_interval: milliseconds(10), max_interval: milliseconds(20) } } })]);
  await settled(() => get("twice"), (answer) => answer === "one after 2", 2);
  console.log("retries:", await get("twice"), await get());

  const hurt = (message, match) => ({ ...to("main", {}, match), typed_per_filter_config: fault(message) });
  const lane = (exact) => ({ headers: [{ name: "lane", string_match: { exact } }] });
  control.route("greeter", [
    hurt({ abort: { grpc_status: status.PERMISSION_DENIED, percentage: always } }, lane("abort")),
    hurt({ abort: { header_abort: {}, percentage: always } }, lane("ask")),
    hurt({ delay: { fixed_delay: milliseconds(300), percentage: always } }, lane("delay")),
    hurt({ delay: { fixed_delay: SECOND, percentage: always } }, lane("late")),
    to("main"),
  ]);
  await settled(() => get("", { lane: "abort" }), (answer) => answer !== "one");
  console.log("faults:", await get("", { lane: "abort" }), await get("", { lane: "ask", "x-envoy-fault-abort-grpc-request": "9" }), await get("", { lane: "ask" }), await get());
  const began = Date.now();
  console.log("delay:", await get("", { lane: "delay" }), Date.now() - began >= 295);
  console.log("late:", await get("", { lane: "late" }, 100));

  control.route("greeter", [to("main", {}, { path: "/notes.Notes/Down" })]);
  await settled(get, (answer) => answer !== "one");
  console.log("no route:", await get());

  const outliers = { interval: milliseconds(100), base_ejection_time: { seconds: 60 }, max_ejection_percent: { value: 50 }, failure_percentage_threshold: { value: 50 }, enforcing_failure_percentage: { value: 100 }, enforcing_success_rate: { value: 0 }, failure_percentage_minimum_hosts: { value: 2 }, failure_percentage_request_volume: { value: 5 } };
  control.cluster("watched", { outlier_detection: outliers });
  control.endpoints("watched", [one, two]);
  control.route("greeter", [to("watched")]);
  await settled(() => get("fail"), (answer) => answer === "INTERNAL two", 1);
  await settled(() => get("fail"), (answer) => answer === "one", 20);
  console.log("without the outlier:", await counted(() => get("fail"), 10));

  control.cluster("ring", { lb_policy: "RING_HASH" });
  control.endpoints("ring", [one, two, three]);
  control.route("greeter", [to("ring", { hash_policy: [{ header: { header_name: "user" } }] })]);
  await settled(() => get("", { user: "a" }), (answer) => ["one", "two", "three"].includes(answer));
  const users = await Promise.all(["a", "b", "c", "d", "e", "f"].map(async (user) => Object.keys(await counted(() => get("", { user }), 5)).length));
  console.log("by hash:", users.join());

  client.close();
  for (const { server } of servers) server.forceShutdown();
  control.stop();
}

main().then(() => process.exit(0), (error) => {
  console.error(error);
  process.exit(1);
});
