// grpc-js-xds's server, and the loads that its clients report: a control plane tells which calls it takes.

const { createServer } = require("node:net");
const grpc = require("@grpc/grpc-js");
const { loadSync } = require("@grpc/proto-loader");
const xds = require("@grpc/grpc-js-xds");
const { ControlPlane } = require("./xds-control.cjs");

const { Notes } = grpc.loadPackageDefinition(loadSync(`${__dirname}/note.proto`)).notes;
const { status } = grpc;
const taken = (match = { prefix: "/" }) => ({ name: "taken", match, non_forwarding_action: {} });

/** A port that was free a moment ago: the server cannot choose one, its listener is named after it. */
const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

const get = (client, text, deadline = 10_000) =>
  new Promise((resolve) => {
    client.Get({ text }, new grpc.Metadata({ waitForReady: true }), { deadline: Date.now() + deadline }, (error, note) => resolve(error === null ? note.text : `${error.code}`));
  });

async function until(what, is) {
  const end = Date.now() + 10_000;
  while (!(await is())) {
    if (Date.now() > end) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function main() {
  const control = new ControlPlane();
  process.env.GRPC_XDS_BOOTSTRAP_CONFIG = await control.start();
  xds.register();
  const port = await freePort();
  const server = new xds.XdsServer();
  server.addService(Notes.service, {
    Get({ request: { text } }, callback) {
      if (text === "fail") callback({ code: status.ABORTED, details: "as asked" });
      else callback(null, { text: `got ${text}` });
    },
    Both(call) {
      call.on("data", ({ text }) => call.write({ text: `both ${text}` }));
      call.on("end", () => call.end());
    },
  });
  const bound = new Promise((resolve, reject) => server.bindAsync(`127.0.0.1:${port}`, grpc.ServerCredentials.createInsecure(), (error, number) => (error ? reject(error) : resolve(number))));
  control.serveAt(port, "taking");
  control.route("taking", [taken()]);
  console.log("bound to the port asked for:", (await bound) === port);

  const plain = new Notes(`127.0.0.1:${port}`, grpc.credentials.createInsecure());
  console.log("unary:", await get(plain, "one"), await get(plain, "fail"));
  const both = plain.Both();
  both.write({ text: "a" });
  both.end();
  for await (const { text } of both) console.log("bidi:", text);

  // A call that no route takes.
  control.route("taking", [taken({ path: "/notes.Notes/Both" })]);
  await until("the other route", async () => (await get(plain, "one")) === String(status.UNAVAILABLE));
  control.route("taking", [taken()]);
  await until("the first route", async () => (await get(plain, "one")) === "got one");
  console.log("routes are followed");

  // The same server through xDS, whose clients report what they have called.
  control.listen("notes");
  control.route("notes", [{ name: "all", match: { prefix: "/" }, route: { cluster: "reported" } }]);
  control.cluster("reported", { lrs_server: { self: {} } });
  control.endpoints("reported", [port]);
  const balanced = new Notes("xds:///notes", grpc.credentials.createInsecure());
  for (const text of ["one", "two", "three", "fail"]) console.log("over xDS:", await get(balanced, text));
  await until("the loads", () => {
    const { succeeded = 0, failed = 0 } = control.loads.reported?.one ?? {};
    return succeeded + failed === 4;
  });
  console.log("loads:", JSON.stringify(control.loads));

  balanced.close();
  plain.close();
  await new Promise((resolve) => server.tryShutdown(resolve));
  console.log("shut down");
  control.stop();
  process.exit(0);
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
