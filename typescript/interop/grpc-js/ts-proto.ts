// A service and a client by ts-proto's code for grpc-js.

import * as grpc from "@grpc/grpc-js";
import { NotesClient, NotesService, type NotesServer, type Note } from "./generated/ts-proto/note";

const handlers: NotesServer = {
  get(call, callback) {
    if (call.request.text === "refuse") callback({ code: grpc.status.NOT_FOUND, details: "no such note" });
    else callback(null, { text: `got ${call.request.text} by ${String(call.metadata.get("who"))}` });
  },
  up(call, callback) {
    let text = "";
    call.on("data", (note: Note) => (text += note.text));
    call.on("end", () => callback(null, { text }));
  },
  down(call) {
    for (const number of [1, 2, 3]) call.write({ text: `${call.request.text}${number}` });
    call.end();
  },
  both(call) {
    call.on("data", (note: Note) => call.write({ text: `both ${note.text}` }));
    call.on("end", () => call.end());
  },
};

async function all(call: grpc.ClientReadableStream<Note>): Promise<string[]> {
  const texts: string[] = [];
  for await (const { text } of call as AsyncIterable<Note>) texts.push(text);
  return texts;
}

const server = new grpc.Server();
server.addService(NotesService, handlers);
server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), async (error, port) => {
  if (error) throw error;
  const client = new NotesClient(`127.0.0.1:${port}`, grpc.credentials.createInsecure());
  const metadata = new grpc.Metadata();
  metadata.set("who", "client");
  const get = (text: string) =>
    new Promise((resolve) => client.get({ text }, metadata, { deadline: Date.now() + 20_000 }, (failed, note) => resolve(failed === null ? note : `${failed.code} ${failed.details}`)));
  console.log(await get("one"), await get("refuse"));
  console.log(
    await new Promise((resolve) => {
      const call = client.up((failed, note) => resolve(failed ?? note));
      for (const text of "abc") call.write({ text });
      call.end();
    }),
  );
  const both = client.both();
  for (const text of "abc") both.write({ text });
  both.end();
  console.log(await all(client.down({ text: "n" })), await all(both));
  client.close();
  server.tryShutdown(() => console.log("down"));
});
