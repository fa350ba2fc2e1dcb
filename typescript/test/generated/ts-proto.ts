import { credentials, fromGeneric, makeGenericClientConstructor } from "samewire/grpc";
import { classicCaller, classicHandlers, classicServer, modernCaller, modernServer } from "./faces.js";
import type { ClassicClient, Messages, Plain, Side } from "./faces.js";
import { NotesClient, NotesService, Note } from "./ts-proto/note.js";
import type { NotesServer } from "./ts-proto/note.js";
import { NotesDefinition } from "./ts-proto-generic/note.js";

const messages: Messages<Note> = {
  make: ({ raw, inner, ...rest }) =>
    Note.fromPartial({
      ...rest,
      ...(raw === undefined ? {} : { raw: Uint8Array.from(Buffer.from(raw, "hex")) }),
      ...(inner === undefined ? {} : { inner: messages.make(inner) }),
    }),
  plain({ text, numbers, weights, tone, raw, inner }) {
    const plain: Plain = { text, numbers, weights: { ...weights }, tone };
    if (raw !== undefined) plain.raw = Buffer.from(raw).toString("hex");
    if (inner !== undefined) plain.inner = messages.plain(inner);
    return plain;
  },
};

const generic = fromGeneric(NotesDefinition);
const GenericClient = makeGenericClientConstructor(generic, "samewire.generated.Notes");

/** ts-proto: services made for grpc-js, whose import was changed and nothing else, and generic definitions. */
export const tsProto: Side[] = [
  {
    name: "ts-proto for grpc-js",
    serve() {
      const handlers: NotesServer = { ...classicHandlers(messages) };
      return classicServer(NotesService, handlers);
    },
    call: (target) => classicCaller(new NotesClient(target, credentials.createInsecure()), messages),
  },
  {
    name: "ts-proto for grpc-js, modern",
    serve: () => modernServer(NotesService, messages),
    call: (target) => modernCaller(NotesService, messages, target),
  },
  {
    name: "ts-proto's generic definitions, modern",
    serve: () => modernServer(generic, messages),
    call: (target) => modernCaller(generic, messages, target),
  },
  {
    name: "ts-proto's generic definitions, as grpc-js",
    serve: () => classicServer(generic, { ...classicHandlers(messages) }),
    call: (target) => classicCaller(new GenericClient(target, credentials.createInsecure()) as unknown as ClassicClient<Note>, messages),
  },
];
