import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Writable } from "node:stream";
import { test } from "node:test";
import type { TestContext } from "node:test";
import * as grpcJs from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { HealthImplementation, ReflectionService, Server, healthService, status } from "../../src/grpc/index.js";
import type { HealthCheckResponse, PackageDefinition } from "../../src/grpc/index.js";
import { decodeReflectionRequest, encodeReflectionResponse } from "../../src/grpc/reflection/reflection-messages.js";
import { bind, until } from "./serving.js";

interface Field {
  name: string;
  typeName?: string;
  oneofIndex?: number;
}
interface File {
  name: string;
  package: string;
  dependency: string[];
  messageType: { name: string; field: Field[]; nestedType: { name: string }[] }[];
  service: { name: string; method: { name: string }[] }[];
}

// protobufjs itself reads what we wrote: its own description of descriptors is the judge.
const { FileDescriptorProto } = createRequire(import.meta.url)("protobufjs/ext/descriptor") as {
  FileDescriptorProto: { decode(bytes: Uint8Array): File };
};

async function serving(context: TestContext, add: (server: Server) => void): Promise<string> {
  const server = new Server();
  add(server);
  context.after(() => { server.forceShutdown(); });
  return `localhost:${await bind(server, "localhost:0")}`;
}

test("health: check, list, and a watch that hears each change", async (context) => {
  const health = new HealthImplementation({ "": "SERVING", a: "NOT_SERVING" });
  const address = await serving(context, (server) => { health.addToServer(server); });
  const Client = grpcJs.makeClientConstructor(healthService, "grpc.health.v1.Health");
  const client = new Client(address, grpcJs.credentials.createInsecure(), { "grpc.use_local_subchannel_pool": 1 });
  context.after(() => { client.close(); });
  const ask = (method: string, request: object): Promise<unknown> =>
    new Promise((resolve) => { (client[method] as (...args: unknown[]) => void)(request, (error: grpcJs.ServiceError | null, reply: unknown) => { resolve(error?.code ?? reply); }); });
  assert.deepEqual(await ask("Check", { service: "" }), { status: "SERVING" });
  assert.deepEqual(await ask("check", { service: "a" }), { status: "NOT_SERVING" });
  assert.equal(await ask("Check", { service: "none" }), status.NOT_FOUND);
  assert.deepEqual(await ask("List", {}), { statuses: { "": { status: "SERVING" }, a: { status: "NOT_SERVING" } } });
  const heard: string[] = [];
  const watch = (client["Watch"] as (request: object) => grpcJs.ClientReadableStream<HealthCheckResponse>)({ service: "later" });
  watch.on("data", (response: HealthCheckResponse) => heard.push(response.status));
  watch.on("error", () => undefined);
  await until(() => heard.length === 1);
  health.setStatus("later", "SERVING");
  health.setStatus("later", "SERVING");
  health.setStatus("later", "NOT_SERVING");
  await until(() => heard.length === 3);
  assert.deepEqual(heard, ["SERVICE_UNKNOWN", "SERVING", "NOT_SERVING"]);
  watch.cancel();
  await new Promise((resolve) => watch.on("status", resolve));
});

test("health: a watcher that does not read gets the latest status in the end, and not all that were", async () => {
  const health = new HealthImplementation({ a: "SERVING" });
  let watch!: (call: unknown) => void;
  health.addToServer({ addService: (_service, implementation) => { watch = implementation["Watch"] as typeof watch; } });
  const written: string[] = [];
  let done: (() => void) | null = null;
  const stream = new Writable({
    objectMode: true,
    write: ({ status: each }: HealthCheckResponse, _encoding, next) => {
      written.push(each);
      done = next;
    },
  });
  const call = Object.assign(stream, { request: { service: "a" } });
  watch(call);
  for (let change = 0; change < 1_000; change += 1) health.setStatus("a", change % 2 === 0 ? "NOT_SERVING" : "SERVING");
  assert.ok(call.writableLength <= 17);
  health.setStatus("a", "UNKNOWN");
  for (let turn = 0; turn < 40; turn += 1) {
    const next = done as (() => void) | null;
    done = null;
    next?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.equal(written.at(-1), "UNKNOWN");
  assert.ok(written.length <= 18, `${written.length} messages`);
});

/** The reflection service as protobufjs has it, written down independently of ours. */
const REFLECTION_PROTO = (version: string): string => `syntax = "proto3";
package grpc.reflection.${version};
service ServerReflection { rpc ServerReflectionInfo(stream ServerReflectionRequest) returns (stream ServerReflectionResponse); }
message ServerReflectionRequest { string host = 1; oneof message_request { string file_by_filename = 3; string file_containing_symbol = 4;
  ExtensionRequest file_containing_extension = 5; string all_extension_numbers_of_type = 6; string list_services = 7; } }
message ExtensionRequest { string containing_type = 1; int32 extension_number = 2; }
message ServerReflectionResponse { string valid_host = 1; ServerReflectionRequest original_request = 2; oneof message_response {
  FileDescriptorResponse file_descriptor_response = 4; ExtensionNumberResponse all_extension_numbers_response = 5;
  ListServiceResponse list_services_response = 6; ErrorResponse error_response = 7; } }
message FileDescriptorResponse { repeated bytes file_descriptor_proto = 1; }
message ExtensionNumberResponse { string base_type_name = 1; repeated int32 extension_number = 2; }
message ListServiceResponse { repeated ServiceResponse service = 1; }
message ServiceResponse { string name = 1; }
message ErrorResponse { int32 error_code = 1; string error_message = 2; }`;

interface Reply {
  validHost: string;
  originalRequest: Record<string, unknown>;
  fileDescriptorResponse?: { fileDescriptorProto: Buffer[] } | null;
  allExtensionNumbersResponse?: { baseTypeName: string; extensionNumber: number[] } | null;
  listServicesResponse?: { service: { name: string }[] } | null;
  errorResponse?: { errorCode: number; errorMessage: string } | null;
}

function definitions(context: TestContext): { definition: PackageDefinition; folder: string } {
  const folder = mkdtempSync(join(tmpdir(), "samewire-"));
  context.after(() => { rmSync(folder, { recursive: true }); });
  writeFileSync(
    join(folder, "a.proto"),
    `syntax = "proto3"; package p.a; import "b.proto"; import "google/protobuf/timestamp.proto";
     message A { google.protobuf.Timestamp at = 1; p.b.B b = 2; oneof x { string s = 3; int32 i = 4; } enum E { ZERO = 0; ONE = 1; } E e = 5; map<string, p.b.B> book_titles = 6; message Inner { E e = 1; } }
     service S { rpc M(A) returns (p.b.B); } service T { rpc N(p.b.B) returns (p.b.B); }`,
  );
  writeFileSync(join(folder, "b.proto"), `syntax = "proto3"; package p.b; message B { string x = 1; }`);
  return { definition: loadSync("a.proto", { includeDirs: [folder] }), folder };
}

for (const version of ["v1", "v1alpha"]) {
  test(`reflection ${version}: services, files with all they need, symbols, errors`, async (context) => {
    const { definition, folder } = definitions(context);
    const address = await serving(context, (server) => { new ReflectionService(definition).addToServer(server); });
    writeFileSync(join(folder, "r.proto"), REFLECTION_PROTO(version));
    const loaded = grpcJs.loadPackageDefinition(loadSync("r.proto", { includeDirs: [folder] })) as unknown as Record<string, Record<string, Record<string, Record<string, grpcJs.ServiceClientConstructor>>>>;
    const Client = loaded["grpc"]!["reflection"]![version]!["ServerReflection"]!;
    const client = new Client(address, grpcJs.credentials.createInsecure(), { "grpc.use_local_subchannel_pool": 1 });
    context.after(() => { client.close(); });
    const questions = [
      { host: "h", listServices: "*" },
      { fileContainingSymbol: "p.a.S" },
      { fileContainingSymbol: "p.a.A.Inner" },
      { fileContainingSymbol: "p.a.S.M" },
      { fileByFilename: "p_b.proto" },
      { fileContainingSymbol: `grpc.reflection.${version}.ServerReflection` },
      { fileContainingSymbol: "no.such" },
      { fileByFilename: "none.proto" },
      { fileContainingExtension: { containingType: "p.a.A", extensionNumber: 7 } },
      { allExtensionNumbersOfType: "p.a.A" },
      { allExtensionNumbersOfType: "no.such" },
      {},
    ];
    const replies: Reply[] = [];
    const call = (client["ServerReflectionInfo"] as () => grpcJs.ClientDuplexStream<unknown, Reply>)();
    call.on("data", (reply: Reply) => replies.push(reply));
    for (const question of questions) call.write(question);
    call.end();
    await new Promise((resolve) => call.on("status", resolve));
    assert.equal(replies.length, questions.length);
    const [list, service, inner, method, byName, itself, ...rest] = replies as [Reply, Reply, Reply, Reply, Reply, Reply, ...Reply[]];
    assert.equal(list.validHost, "h");
    assert.deepEqual(list.originalRequest["listServices"], "*");
    assert.deepEqual(list.listServicesResponse?.service.map(({ name }) => name), ["grpc.reflection.v1.ServerReflection", "grpc.reflection.v1alpha.ServerReflection", "p.a.S", "p.a.T"]);
    const files = (reply: Reply): File[] => (reply.fileDescriptorResponse?.fileDescriptorProto ?? []).map((bytes) => FileDescriptorProto.decode(bytes));
    for (const reply of [service, inner, method]) {
      assert.deepEqual(files(reply).map(({ name }) => name).sort(), ["google_protobuf.proto", "p_a.proto", "p_b.proto"]);
      assert.equal(files(reply)[0]?.name, "p_a.proto", "the file itself comes first");
      const [a] = files(reply)[0]!.messageType;
      assert.deepEqual(a?.nestedType.map(({ name }) => name).sort(), ["BookTitlesEntry", "Inner"]);
      assert.equal(a.field.find(({ name }) => name === "bookTitles")?.typeName, "BookTitlesEntry");
      assert.deepEqual([...files(reply)[0]!.dependency].sort(), ["google_protobuf.proto", "p_b.proto"]);
    }
    assert.deepEqual(files(byName).map(({ name }) => name), ["p_b.proto"]);
    const [own] = files(itself);
    assert.equal(own?.package, `grpc.reflection.${version}`);
    assert.deepEqual(own.service[0]?.method.map(({ name }) => name), ["ServerReflectionInfo"]);
    assert.equal(own.messageType[0]?.field.filter((field) => Object.hasOwn(field, "oneofIndex")).length, 5);
    assert.deepEqual(rest.map(({ errorResponse }) => errorResponse?.errorCode), [5, 5, 5, undefined, 5, 3]);
    assert.deepEqual(rest[3]?.allExtensionNumbersResponse?.baseTypeName, "p.a.A");
  });
}

test("reflection lists only the services of its option, and knows health's descriptor", (context) => {
  const reflection = new ReflectionService(definitions(context).definition, { services: ["p.a.T"] });
  const names = reflection.answer({ kind: "services" });
  assert.ok(names.kind === "services" && names.names.includes("p.a.T") && !names.names.includes("p.a.S"));
  const health = reflection.answer({ kind: "symbol", name: "grpc.health.v1.Health.Watch" });
  assert.ok(health.kind === "files");
  const file = FileDescriptorProto.decode(health.files[0]!);
  assert.deepEqual(file.messageType.map(({ name }) => name), ["HealthCheckRequest", "HealthCheckResponse", "HealthListRequest", "HealthListResponse"]);
});

interface Described {
  name: string;
  package: string;
  messageType: { name: string; field: { name: string; number: number; type: string; label: string }[] }[];
}

// protobufjs links what we describe, and proto-loader reads the files that grpc-js brings along: both judge it.
const nodeModules = createRequire(import.meta.url);
const { Root } = nodeModules("protobufjs") as { Root: { fromDescriptor(set: { file: unknown[] }): { resolveAll(): void; lookupService(name: string): { methodsArray: { name: string }[] } } } };
const describe = (bytes: Uint8Array): Described => (FileDescriptorProto as unknown as { toObject(file: File, options: object): Described }).toObject(FileDescriptorProto.decode(bytes), { enums: String });
const proto = join(dirname(nodeModules.resolve("@grpc/grpc-js/package.json")), "proto");

for (const [service, methods, files, source] of [
  ["grpc.channelz.v1.Channelz", 7, ["google/protobuf/timestamp.proto", "google/protobuf/wrappers.proto", "grpc/channelz/v1/channelz.proto"], "channelz.proto"],
  ["xds.service.orca.v3.OpenRcaService", 1, ["google/protobuf/duration.proto", "xds/data/orca/v3/orca_load_report.proto", "xds/service/orca/v3/orca.proto"], "xds/service/orca/v3/orca.proto"],
] as const) {
  test(`reflection describes ${service} as its proto file does, with all it needs`, () => {
    const answer = new ReflectionService({}).answer({ kind: "symbol", name: service });
    assert.ok(answer.kind === "files");
    const described = answer.files.map(describe);
    assert.deepEqual(described.map(({ name }) => name).sort(), files);
    const root = Root.fromDescriptor({ file: answer.files.map((bytes) => FileDescriptorProto.decode(bytes)) });
    root.resolveAll();
    assert.equal(root.lookupService(service).methodsArray.length, methods);
    const theirs = loadSync(source, { keepCase: true, includeDirs: [proto, join(proto, "xds"), join(proto, "protoc-gen-validate")] }) as unknown as Record<string, { type: { field: Described["messageType"][number]["field"] } }>;
    let fields = 0;
    for (const { package: scope, messageType } of described) {
      for (const { name, field } of messageType) {
        for (const ours of field) {
          const other = theirs[`${scope}.${name}`]!.type.field.find((each) => each.name === ours.name);
          assert.deepEqual([ours.number, ours.type, ours.label], [other?.number, other?.type, other?.label], `${name}.${ours.name}`);
          fields += 1;
        }
      }
    }
    assert.ok(fields >= 13);
  });
}

test("reflection returns the files of a definition and not also its own copy of them", (context) => {
  const reflection = new ReflectionService(definitions(context).definition);
  const answer = reflection.answer({ kind: "symbol", name: "grpc.channelz.v1.Channelz" });
  assert.ok(answer.kind === "files");
  assert.deepEqual(answer.files.map((bytes) => FileDescriptorProto.decode(bytes).name).sort(), ["google/protobuf/wrappers.proto", "google_protobuf.proto", "grpc/channelz/v1/channelz.proto"]);
});

test("extensions of proto2 are found by their type and number", () => {
  const request = decodeReflectionRequest(Buffer.from([0x2a, 0x05, 0x0a, 0x01, 0x61, 0x10, 0x07]));
  assert.deepEqual(request.question, { kind: "extension", type: "a", number: 7 });
  const bytes = encodeReflectionResponse({ request, answer: { kind: "extensions", type: "a", numbers: [1, 300] } });
  assert.equal(bytes.toString("hex"), "12072a050a016110072a080a0161100110ac02");
});
