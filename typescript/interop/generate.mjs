// Code of the tests' service by the generators that programs for Node use, into dist/test/generated, where its tests are compiled to:
// protobuf-es, ts-proto with grpc-js's services and with generic definitions, and protoc-gen-ts, whose classes run on google-protobuf.
//
// The example of docs/moving/grpc-js.md is compiled with what was generated.
//
// Code generated for grpc-js is changed in one place, the name of the imported module. Then its types are checked.
//
// usage: node generate.mjs

import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const PYTHON = path("../../.venv/bin/python");
const PROTO = path("../test/generated");
const MADE = path("../dist/generated");
const OUT = path("../dist/test/generated");

/** Folder, plugin, and its options. */
const GENERATORS = [
  ["protobuf-es", "protoc-gen-es", "target=ts,import_extension=js"],
  ["ts-proto", "protoc-gen-ts_proto", "outputServices=grpc-js,esModuleInterop=true,importSuffix=.js"],
  ["ts-proto-generic", "protoc-gen-ts_proto", "outputServices=generic-definitions,esModuleInterop=true,importSuffix=.js"],
  ["google-protobuf", "protoc-gen-ts", ""],
];

const file = (folder) => `${MADE}/${folder}/note${folder === "protobuf-es" ? "_pb" : ""}.ts`;

for (const folder of [MADE, `${OUT}/page`, ...GENERATORS.map(([name]) => `${OUT}/${name}`)]) rmSync(folder, { recursive: true, force: true });
const args = ["-m", "grpc_tools.protoc", `-I${PROTO}`];
for (const [at, [folder, plugin, options]] of GENERATORS.entries()) {
  mkdirSync(`${MADE}/${folder}`, { recursive: true });
  args.push(`--plugin=protoc-gen-made${at}=${path(`../node_modules/.bin/${plugin}`)}`, `--made${at}_out=${MADE}/${folder}`, `--made${at}_opt=${options}`);
}
execFileSync(PYTHON, [...args, "note.proto"], { stdio: "inherit" });

// The page's example, as it is printed, beside the two files that it imports.
const EXAMPLE = `${MADE}/page/example.ts`;
const page = readFileSync(path("../../docs/moving/grpc-js.md"), "utf8");
const example = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, text]) => text).find((text) => text.includes("fromProtobufEs"));
mkdirSync(`${MADE}/page`);
writeFileSync(EXAMPLE, example);
for (const folder of ["protobuf-es", "ts-proto-generic"]) copyFileSync(file(folder), `${MADE}/page/${basename(file(folder))}`);

for (const [folder] of GENERATORS) {
  const text = readFileSync(file(folder), "utf8");
  writeFileSync(file(folder), text.replaceAll('"@grpc/grpc-js"', '"samewire/grpc"'));
}

// Each generator has its own idea of strictness: what they make is compiled here, and its tests see the declarations.
const checks = ["--strict", "--declaration", "--emitDeclarationOnly", "--skipLibCheck", "--target", "es2022", "--module", "nodenext", "--esModuleInterop", "--types", "node"];
execFileSync(path("../node_modules/.bin/tsc"), [...checks, "--rootDir", MADE, "--outDir", OUT, EXAMPLE, ...GENERATORS.map(([folder]) => file(folder))], { stdio: "inherit", cwd: path("..") });
await build({
  entryPoints: [EXAMPLE, ...GENERATORS.map(([folder]) => file(folder))],
  outbase: MADE,
  outdir: OUT,
  bundle: true,
  format: "esm",
  platform: "node",
  external: ["samewire/grpc", "@bufbuild/protobuf"],
  logLevel: "warning",
});
