// Calls of every kind by `require`, and whether `import` finds the same module and its names.

const grpc = require("@grpc/grpc-js");
const { calls, started } = require("./notes.cjs");

async function main() {
  const { client, stop } = await started(grpc);
  console.log(JSON.stringify(await calls(grpc, client)));
  await stop();
  const { default: whole, Metadata, Server } = await import("@grpc/grpc-js");
  console.log(whole.Server === grpc.Server, Server === grpc.Server, Metadata === grpc.Metadata, require("@grpc/grpc-js/package.json").version);
}

main();
