import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { credentials, fromProtobufEs, makeGenericClientConstructor } from "samewire/grpc";
import { classicCaller, classicHandlers, classicServer, modernCaller, modernServer } from "./faces.js";
import type { ClassicClient, Messages, Plain, Side } from "./faces.js";
import { NoteSchema, Notes } from "./protobuf-es/note_pb.js";
import type { Note } from "./protobuf-es/note_pb.js";

type Unary = { request: Note; response: Note };

const definition = fromProtobufEs<{
  echo: Unary;
  gather: Unary & { requestStream: true };
  scatter: Unary & { responseStream: true };
  converse: Unary & { requestStream: true; responseStream: true };
}>(Notes, { create, toBinary, fromBinary });

const messages: Messages<Note> = {
  make({ raw, inner, ...rest }) {
    if (raw !== undefined) return create(NoteSchema, { ...rest, body: { case: "raw", value: Uint8Array.from(Buffer.from(raw, "hex")) } });
    return create(NoteSchema, inner === undefined ? rest : { ...rest, body: { case: "inner", value: messages.make(inner) } });
  },
  plain({ text, numbers, weights, tone, body }) {
    const plain: Plain = { text, numbers: [...numbers], weights: { ...weights }, tone };
    if (body.case === "raw") plain.raw = Buffer.from(body.value).toString("hex");
    if (body.case === "inner") plain.inner = messages.plain(body.value);
    return plain;
  },
};

const NotesClient = makeGenericClientConstructor(definition, "samewire.generated.Notes");

/** protobuf-es 2 with the code of its `protoc-gen-es`. */
export const protobufEs: Side[] = [
  {
    name: "protobuf-es, modern",
    serve: () => modernServer(definition, messages),
    call: (target) => modernCaller(definition, messages, target),
  },
  {
    name: "protobuf-es, as grpc-js",
    serve: () => classicServer(definition, { ...classicHandlers(messages) }),
    call: (target) => classicCaller(new NotesClient(target, credentials.createInsecure()) as unknown as ClassicClient<Note>, messages),
  },
];
