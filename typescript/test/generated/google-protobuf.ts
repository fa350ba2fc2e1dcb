import { credentials } from "samewire/grpc";
import { classicCaller, classicHandlers, classicServer, modernCaller, modernServer } from "./faces.js";
import type { Messages, ModernDefinition, Plain, Side } from "./faces.js";
import { samewire } from "./google-protobuf/note.js";

const { Note, NotesClient, UnimplementedNotesService } = samewire.generated;
type Note = samewire.generated.Note;

const messages: Messages<Note> = {
  make({ raw, inner, weights, ...rest }) {
    const note = new Note({ ...rest, weights: new Map(Object.entries(weights)) });
    if (raw !== undefined) note.raw = Uint8Array.from(Buffer.from(raw, "hex"));
    if (inner !== undefined) note.inner = messages.make(inner);
    return note;
  },
  plain(note) {
    const { text, numbers, weights, tone } = note;
    const plain: Plain = { text, numbers, weights: Object.fromEntries(weights), tone };
    if (note.has_raw) plain.raw = Buffer.from(note.raw).toString("hex");
    if (note.has_inner) plain.inner = messages.plain(note.inner);
    return plain;
  },
};

const { echo, gather, scatter, converse } = classicHandlers(messages);

class NotesService extends UnimplementedNotesService {
  override Echo = echo;
  override Gather = gather;
  override Scatter = scatter;
  override Converse = converse;
}

const { Echo, Gather, Scatter, Converse } = UnimplementedNotesService.definition;
// The generator does not say in types which sides are streams.
const modern = { echo: Echo, gather: Gather, scatter: Scatter, converse: Converse } as unknown as ModernDefinition<Note>;

/** google-protobuf's classes with static code, whose import of grpc-js was changed and nothing else. */
export const googleProtobuf: Side[] = [
  {
    name: "google-protobuf for grpc-js",
    serve: () => classicServer(UnimplementedNotesService.definition, new NotesService()),
    call(target) {
      const client = new NotesClient(target, credentials.createInsecure());
      return classicCaller(
        {
          echo: (note: Note, callback) => client.Echo(note, callback),
          gather: (callback) => client.Gather(callback),
          scatter: (note: Note) => client.Scatter(note),
          converse: () => client.Converse(),
          close() {
            client.close();
          },
        },
        messages,
      );
    },
  },
  {
    name: "google-protobuf, modern",
    serve: () => modernServer(modern, messages),
    call: (target) => modernCaller(modern, messages, target),
  },
];
