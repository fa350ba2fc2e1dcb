// A service and a client with the types that proto-loader-gen-types writes.

import { join } from "node:path";
import * as grpc from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import type { ProtoGrpcType } from "./generated/loader/note";
import type { NotesHandlers } from "./generated/loader/notes/Notes";
import type { Note__Output } from "./generated/loader/notes/Note";

const { notes } = grpc.loadPackageDefinition(loadSync(join(__dirname, "note.proto"))) as unknown as ProtoGrpcType;
const handlers: NotesHandlers = {
  Get(call, callback) {
    callback(null, { text: `got ${call.request.text}` });
  },
  Up(call, callback) {
    let text = "";
    call.on("data", (note: Note__Output) => (text += note.text));
    call.on("end", () => callback(null, { text }));
  },
  Down(call) {
    call.write({ text: `${call.request.text}1` });
    call.end();
  },
  Both(call) {
    call.on("data", (note: Note__Output) => call.write({ text: `both ${note.text}` }));
    call.on("end", () => call.end());
  },
};

const server = new grpc.Server();
server.addService(notes.Notes.service, handlers);
server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), async (error, port) => {
  if (error) throw error;
  const client = new notes.Notes(`127.0.0.1:${port}`, grpc.credentials.createInsecure());
  console.log(await new Promise<Note__Output | undefined>((resolve, reject) => client.Get({ text: "one" }, (failed, note) => (failed ? reject(failed) : resolve(note)))));
  const down: grpc.ClientReadableStream<Note__Output> = client.Down({ text: "n" });
  const texts: (string | undefined)[] = [];
  for await (const note of down as AsyncIterable<Note__Output>) texts.push(note.text);
  console.log(texts);
  client.close();
  server.tryShutdown(() => console.log("down"));
});
