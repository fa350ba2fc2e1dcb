// A microservice of NestJS, with all kinds of calls, and Nest's client.

import "reflect-metadata";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { Controller, Module } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { ClientProxyFactory, GrpcMethod, GrpcStreamMethod, RpcException, Transport, type ClientGrpc, type MicroserviceOptions } from "@nestjs/microservices";
import { Observable, firstValueFrom, from, lastValueFrom, map, reduce, toArray } from "rxjs";

interface Note {
  text: string;
}
interface Notes {
  get(note: Note): Observable<Note>;
  up(notes: Observable<Note>): Observable<Note>;
  down(note: Note): Observable<Note>;
  both(notes: Observable<Note>): Observable<Note>;
}

@Controller()
class NotesController {
  @GrpcMethod("Notes", "Get")
  get(note: Note): Note {
    if (note.text === "refuse") throw new RpcException({ code: 5, message: "no such note" });
    return { text: `got ${note.text}` };
  }

  @GrpcStreamMethod("Notes", "Up")
  up(notes: Observable<Note>): Observable<Note> {
    return notes.pipe(reduce((all, { text }) => ({ text: all.text + text }), { text: "" }));
  }

  @GrpcMethod("Notes", "Down")
  down(note: Note): Observable<Note> {
    return from([1, 2, 3].map((number) => ({ text: `${note.text}${number}` })));
  }

  @GrpcStreamMethod("Notes", "Both")
  both(notes: Observable<Note>): Observable<Note> {
    return notes.pipe(map(({ text }) => ({ text: `both ${text}` })));
  }
}

@Module({ controllers: [NotesController] })
class NotesModule {}

/** Finds a free port, since Nest does not report the port that it got for 0. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await once(server.close(), "close");
  return port;
}

async function main(): Promise<void> {
  const port = await freePort();
  const options = { url: `127.0.0.1:${port}`, package: "notes", protoPath: join(__dirname, "note.proto") };
  const service = await NestFactory.createMicroservice<MicroserviceOptions>(NotesModule, { transport: Transport.GRPC, options, logger: ["error"] });
  await service.listen();
  const proxy = ClientProxyFactory.create({ transport: Transport.GRPC, options });
  const notes = (proxy as unknown as ClientGrpc).getService<Notes>("Notes");
  const many = (): Observable<Note> => from(["a", "b", "c"].map((text) => ({ text })));
  console.log("get", await firstValueFrom(notes.get({ text: "one" })));
  console.log("refused", await firstValueFrom(notes.get({ text: "refuse" })).catch(({ code, details }) => ({ code, details })));
  console.log("up", await lastValueFrom(notes.up(many())));
  console.log("down", await lastValueFrom(notes.down({ text: "n" }).pipe(toArray())));
  console.log("both", await lastValueFrom(notes.both(many()).pipe(toArray())));
  proxy.close();
  await service.close();
}

void main();
