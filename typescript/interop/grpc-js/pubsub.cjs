// Google's Pub/Sub client, which stands on google-gax, against a server that keeps messages in memory.

const { join, dirname } = require("node:path");
const grpc = require("@grpc/grpc-js");
const { loadSync } = require("@grpc/proto-loader");

const pubsub = dirname(require.resolve("@google-cloud/pubsub"));
const includeDirs = [join(pubsub, "../protos"), join(dirname(require.resolve("google-gax")), "../protos")];
const proto = grpc.loadPackageDefinition(loadSync("google/pubsub/v1/pubsub.proto", { includeDirs, longs: String, enums: String, defaults: true })).google.pubsub.v1;

const published = [];
const pulls = new Set();
const acknowledged = [];
const publisher = {
  GetTopic(call, callback) {
    callback(call.request.topic.endsWith("missing") ? { code: grpc.status.NOT_FOUND, details: "no such topic" } : null, { name: call.request.topic });
  },
  Publish(call, callback) {
    const messageIds = call.request.messages.map((message) => {
      const messageId = String(published.push(message));
      for (const pull of pulls) pull.write({ receivedMessages: [{ ackId: `ack-${messageId}`, message: { ...message, messageId, publishTime: { seconds: 1 } } }] });
      return messageId;
    });
    callback(null, { messageIds });
  },
};
const subscriber = {
  StreamingPull(call) {
    pulls.add(call);
    call.on("data", ({ ackIds }) => acknowledged.push(...ackIds));
    call.on("end", () => call.end());
    call.on("cancelled", () => pulls.delete(call));
  },
  Acknowledge(call, callback) {
    acknowledged.push(...call.request.ackIds);
    callback(null, {});
  },
  ModifyAckDeadline(_call, callback) {
    callback(null, {});
  },
};

const server = new grpc.Server();
server.addService(proto.Publisher.service, publisher);
server.addService(proto.Subscriber.service, subscriber);
server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), async (error, port) => {
  if (error) throw error;
  process.env.PUBSUB_EMULATOR_HOST = `127.0.0.1:${port}`;
  const { PubSub } = require("@google-cloud/pubsub");
  const client = new PubSub({ projectId: "program" });
  console.log(await client.topic("books").get().then(([topic]) => topic.name));
  console.log(await client.topic("missing").getMetadata().catch(({ code, details, message }) => ({ code, details, message })));
  const subscription = client.subscription("readers");
  const received = new Promise((resolve, reject) => {
    subscription.on("error", reject).on("message", (message) => {
      message.ack();
      resolve(`${message.id} ${message.data} ${JSON.stringify(message.attributes)}`);
    });
  });
  while (pulls.size === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  console.log(await client.topic("books").publishMessage({ data: Buffer.from("Carrie"), attributes: { year: "1974" } }));
  console.log(await received);
  await subscription.close();
  while (acknowledged.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  console.log(acknowledged);
  await client.close();
  server.forceShutdown();
});
