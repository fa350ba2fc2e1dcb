// nice-grpc's server and client, with its middleware for retries and deadlines.

const { loadSync } = require("@grpc/proto-loader");
const grpc = require("@grpc/grpc-js");
const { createChannel, createClientFactory, createServer, ServerError, Status, Metadata } = require("nice-grpc");
const { deadlineMiddleware } = require("nice-grpc-client-middleware-deadline");
const { retryMiddleware } = require("nice-grpc-client-middleware-retry");

const { Notes } = grpc.loadPackageDefinition(loadSync(`${__dirname}/note.proto`)).notes;
let tries = 0;

async function* texts(notes) {
  for await (const { text } of notes) yield { text: `both ${text}` };
}

const handlers = {
  async Get({ text }, context) {
    if (text === "flaky" && ++tries < 3) throw new ServerError(Status.UNAVAILABLE, `try ${tries}`);
    if (text === "slow") await new Promise((resolve) => context.signal.addEventListener("abort", resolve));
    context.header.set("whence", "server");
    return { text: `got ${text} by ${context.metadata.get("who")}` };
  },
  async Up(notes) {
    let all = "";
    for await (const { text } of notes) all += text;
    return { text: all };
  },
  async *Down({ text }) {
    for (const number of [1, 2, 3]) yield { text: `${text}${number}` };
  },
  Both: texts,
};

async function* many() {
  for (const text of "abc") yield { text };
}

async function all(notes) {
  const found = [];
  for await (const { text } of notes) found.push(text);
  return found;
}

async function main() {
  const server = createServer();
  server.add(Notes.service, handlers);
  const port = await server.listen("127.0.0.1:0");
  const channel = createChannel(`127.0.0.1:${port}`);
  const client = createClientFactory().use(retryMiddleware).use(deadlineMiddleware).create(Notes.service, channel);
  const options = { metadata: Metadata({ who: "client" }) };
  console.log(await client.Get({ text: "one" }, { ...options, onHeader: (header) => console.log(header.get("whence")) }));
  console.log(await client.Get({ text: "flaky" }, { ...options, retry: true, retryMaxAttempts: 3, retryBaseDelayMs: 5, retryableStatuses: [Status.UNAVAILABLE] }), tries);
  console.log(await client.Get({ text: "slow" }, { deadline: 100 }).catch(({ name, code, path }) => ({ name, code, path })));
  console.log(await client.Up(many()), await all(client.Down({ text: "n" })), await all(client.Both(many())));
  channel.close();
  await server.shutdown();
}

main();
