// The service of note.proto, written for grpc-js, and calls of each of its methods.

const { loadSync } = require("@grpc/proto-loader");

const handlers = {
  Get(call, callback) {
    const metadata = call.metadata.clone();
    metadata.set("whence", "server");
    call.sendMetadata(metadata);
    if (call.request.text === "refuse") callback({ code: 5, details: "no such note" });
    else callback(null, { text: `got ${call.request.text}` });
  },
  Up(call, callback) {
    let text = "";
    call.on("data", (note) => (text += note.text));
    call.on("end", () => callback(null, { text }));
  },
  Down(call) {
    for (const number of [1, 2, 3]) call.write({ text: `${call.request.text}${number}` });
    call.end();
  },
  Both(call) {
    call.on("data", (note) => call.write({ text: `both ${note.text}` }));
    call.on("end", () => call.end());
  },
};

/** Serves it on a free port, and connects to it. */
exports.started = (grpc) =>
  new Promise((resolve, reject) => {
    const { Notes } = grpc.loadPackageDefinition(loadSync(`${__dirname}/note.proto`)).notes;
    const server = new grpc.Server();
    server.addService(Notes.service, handlers);
    server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
      if (error) return reject(error);
      const client = new Notes(`127.0.0.1:${port}`, grpc.credentials.createInsecure());
      const stop = () => {
        client.close();
        return new Promise((done) => server.tryShutdown(done));
      };
      resolve({ client, port, stop });
    });
  });

const all = (call) =>
  new Promise((resolve, reject) => {
    const texts = [];
    call.on("data", ({ text }) => texts.push(text)).on("error", reject).on("end", () => resolve(texts));
  });

/** The results of a call of every kind, one after the other. */
exports.calls = async (grpc, client) => {
  const metadata = new grpc.Metadata();
  metadata.set("who", "client");
  const unary = (text) => new Promise((resolve) => client.Get({ text }, metadata, (error, note) => resolve(error === null ? note : { code: error.code, details: error.details })));
  const results = [await unary("one"), await unary("refuse")];
  results.push(
    await new Promise((resolve, reject) => {
      const call = client.Up((error, note) => (error === null ? resolve(note) : reject(error)));
      for (const text of "abc") call.write({ text });
      call.end();
    }),
  );
  results.push(await all(client.Down({ text: "n" })));
  const both = client.Both();
  for (const text of "abc") both.write({ text });
  both.end();
  results.push(await all(both));
  return results;
};
