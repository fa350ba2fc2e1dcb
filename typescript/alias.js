// dist/grpc-js: the package that replaces `@grpc/grpc-js` for libraries whose imports a program cannot change:
//
//   "overrides": { "@grpc/grpc-js": "file:samewire-grpc-js-1.14.7.tgz" }
//
// It has the layout of grpc-js, without an `exports` field: CommonJS, whose names `import` finds too, and a file at
// each path that libraries and instrumentations import. It holds the gRPC part of dist/node and nothing else.
// Instrumentations change what a file exports, so the other files import it from that file and not from the library.

import { copyFileSync, cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";

/** The version whose names it has. Instrumentations look for a range of versions, which no prerelease is in. */
const VERSION = "1.14.7";

/** By file: values that it exports, types, and our names of those that the root exports under another. */
const FILES = {
  admin: [["addAdminServicesToServer"]],
  "auth-context": [[], ["AuthContext"]],
  "call-credentials": [["CallCredentials"], ["CallMetadataGenerator", "CallMetadataOptions"]],
  "call-interface": [["experimental.statusOrFromError", "experimental.statusOrFromValue"], ["InterceptingListener", "Listener", "PartialStatusObject", "StatusObject"]],
  call: [[], ["ClientDuplexStream", "ClientReadableStream", "ClientUnaryCall", "ClientWritableStream", "ServiceError", "SurfaceCall"]],
  "certificate-provider": [["experimental.FileWatcherCertificateProvider"]],
  channel: [["Channel as ChannelImplementation"], ["ChannelInterface as Channel"]],
  "channel-credentials": [["ChannelCredentials", "experimental.createCertificateProviderChannelCredentials"], ["VerifyOptions"]],
  "channel-options": [[], ["ChannelOptions"]],
  channelz: [["getChannelzHandlers", "getChannelzServiceDefinition"]],
  client: [["Client"], ["CallInvocationTransformer", "CallOptions", "CallProperties", "ClientOptions", "requestCallback as UnaryCallback"]],
  "client-interceptors": [
    ["InterceptingCall", "InterceptorConfigurationError", "ListenerBuilder", "RequesterBuilder"],
    ["InterceptingCallInterface", "Interceptor", "InterceptorOptions", "InterceptorProvider", "NextCall", "Requester"],
  ],
  "compression-algorithms": [["compressionAlgorithms as CompressionAlgorithms"]],
  "connectivity-state": [["connectivityState as ConnectivityState"]],
  constants: [["status as Status", "logVerbosity as LogVerbosity", "propagate as Propagate"]],
  deadline: [[], ["Deadline"]],
  logging: [["setLogger", "setLogVerbosity as setLoggerVerbosity", "experimental.log", "experimental.trace"]],
  "make-client": [
    ["loadPackageDefinition", "makeClientConstructor"],
    ["GrpcObject", "MethodDefinition", "PackageDefinition", "ProtobufTypeDefinition", "ServerMethodDefinition", "ServiceClient", "ServiceClientConstructor", "ServiceDefinition",
      "deserialize as Deserialize", "serialize as Serialize"],
  ],
  metadata: [["Metadata"], ["MetadataOptions", "MetadataValue"]],
  orca: [["ServerMetricRecorder"], ["PerRequestMetricRecorder"]],
  resolver: [["experimental.registerResolver"]],
  server: [["Server"], ["ConnectionInjector", "ServerOptions", "UntypedHandleCall", "UntypedServiceImplementation"]],
  "server-call": [
    [],
    ["HandleCall", "ServerDuplexStream", "ServerErrorResponse", "ServerReadableStream", "ServerStatusResponse", "ServerSurfaceCall", "ServerUnaryCall", "ServerWritableStream",
      "handleBidiStreamingCall", "handleClientStreamingCall", "handleServerStreamingCall", "handleUnaryCall", "sendUnaryData"],
  ],
  "server-credentials": [["ServerCredentials", "createServerCredentialsWithInterceptors", "experimental.createCertificateProviderServerCredentials"], ["KeyCertPair"]],
  "server-interceptors": [
    ["ResponderBuilder", "ServerInterceptingCall", "ServerListenerBuilder"],
    ["ConnectionInfo", "FullResponder", "FullServerListener", "InterceptingServerListener", "Responder", "ServerInterceptingCallInterface", "ServerInterceptor", "ServerListener"],
  ],
  "service-config": [[], ["LoadBalancingConfig", "MethodConfig", "RetryPolicy", "ServiceConfig"]],
  "status-builder": [["StatusBuilder"]],
  "subchannel-address": [["experimental.endpointHasAddress", "experimental.endpointToString", "experimental.subchannelAddressToString"]],
  /** Programs ask here for what connects, and go without. */
  transport: [[]],
  "uri-parser": [["experimental.splitHostPort", "experimental.uriToString"]],
};

const OUT = "dist/grpc-js";
const BUILD = `${OUT}/build/src`;
const library = createRequire(import.meta.url)("./dist/node/grpc/index.cjs");
const { license, engines } = JSON.parse(readFileSync("package.json", "utf8"));

/** `group.ours as theirs`, with any part but `ours` left out. */
function name(text) {
  const [, group, ours, theirs = ours] = /^(?:(\w+)\.)?(\w+)(?: as (\w+))?$/.exec(text);
  const value = (group === undefined ? library : library[group])[ours];
  return { group, ours, theirs, value };
}

const exportsOf = (pairs) => `"use strict";\nObject.defineProperty(exports, "__esModule", { value: true });\n${pairs.map(([theirs, from]) => `exports.${theirs} = ${from};\n`).join("")}`;

/** Where the root takes a name from. */
const owners = new Map();

rmSync(OUT, { recursive: true, force: true });
mkdirSync(BUILD, { recursive: true });
for (const [file, [values, types = []]] of Object.entries(FILES)) {
  const names = values.map(name);
  for (const { ours, theirs, group, value } of names) {
    if (value === undefined) throw new Error(`${file} is to export ${ours}, which the library does not have`);
    if (group === undefined) owners.set(ours, `require("./${file}").${theirs}`);
  }
  const of = (group) => `require("./library")${group === undefined ? "" : `.${group}`}`;
  writeFileSync(`${BUILD}/${file}.js`, exportsOf(names.map(({ group, ours, theirs }) => [theirs, `${of(group)}.${ours}`])));
  const spelled = (kind, listed, from) => (listed.length === 0 ? "" : `export ${kind}{ ${listed.join(", ")} } from "${from}";\n`);
  const plain = values.filter((text) => !text.includes("."));
  const grouped = values.filter((text) => text.includes(".")).map((text) => text.replace(/^\w+\./, ""));
  const declared = spelled("", plain, "./types/grpc/index") + spelled("type ", types, "./types/grpc/index") + spelled("", grouped, "./types/grpc/grpc-js/experimental");
  writeFileSync(`${BUILD}/${file}.d.ts`, declared || "export {};\n");
}
owners.set("makeGenericClientConstructor", owners.get("makeClientConstructor"));

copyFileSync("dist/node/grpc/index.cjs", `${BUILD}/library.js`);
const root = exportsOf(Object.keys(library).map((ours) => [ours, owners.get(ours) ?? `require("./library").${ours}`]));
writeFileSync(`${BUILD}/index.js`, `${root}Object.defineProperties(exports, { default: { value: exports, writable: true, configurable: true } });\n`);
writeFileSync(`${BUILD}/index.d.ts`, 'export * from "./types/grpc/index";\n');
writeFileSync(`${BUILD}/experimental.js`, 'module.exports = require("./library").experimental;\n');
writeFileSync(`${BUILD}/experimental.d.ts`, 'export * from "./types/grpc/grpc-js/experimental";\n');

/** The declarations that gRPC's reach, under the names that they have. */
const declarations = readdirSync("dist/src", { recursive: true }).filter((file) => /^(core|transport|grpc)\/.*\.d\.ts$/.test(file) && !file.includes("pack-service"));
for (const file of declarations) cpSync(`dist/src/${file}`, `${BUILD}/types/${file}`, { recursive: true });

const manifest = {
  name: "@grpc/grpc-js",
  version: VERSION,
  description: "Samewire's gRPC under the name of @grpc/grpc-js, for `overrides`",
  license,
  type: "commonjs",
  main: "build/src/index.js",
  types: "build/src/index.d.ts",
  engines,
  files: ["build"],
};
writeFileSync(`${OUT}/package.json`, `${JSON.stringify(manifest, null, 2)}\n`);
writeFileSync(`${OUT}/README.md`, `# @grpc/grpc-js, by Samewire

\`samewire/grpc\` under the name, the version and the paths of \`@grpc/grpc-js\` ${VERSION}, for programs whose libraries import that.
Name it in the \`overrides\` of your \`package.json\`: \`{ "overrides": { "@grpc/grpc-js": "file:samewire-grpc-js-${VERSION}.tgz" } }\`.
`);
copyFileSync("LICENSE", `${OUT}/LICENSE`);
