// Programs and libraries that were written for grpc-js, on grpc-js and on the package that stands in for it: both must say the same.
// Frameworks, instrumentations, clients of services and runtimes come from the registry, pinned. The runtimes are for Linux on x64.
//
// usage: node run.mjs [PROGRAM...]

import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { PYTHON } from "../programs.mjs";

const run = promisify(execFile);
const HERE = fileURLToPath(new URL(".", import.meta.url));
const OUT = fileURLToPath(new URL("../../../build/interop/grpc-js/", import.meta.url));
const PLACE = `${HERE}node_modules/@grpc/grpc-js`;
const ORIGINAL = `${HERE}node_modules/.grpc-js`;
const OURS = fileURLToPath(new URL("../../dist/grpc-js", import.meta.url));
const SECONDS = 60;

const bin = (name) => `${HERE}node_modules/.bin/${name}`;
/** Older and newer Nodes than ours, and others that run what is written for it. */
const RUNTIMES = {
  "node-18": ["node-18/bin/node"],
  "node-20.9": ["node-20.9/bin/node"],
  "node-24": ["node-24/bin/node"],
  "node-25": ["node-25/bin/node"],
  bun: ["@oven/bun-linux-x64/bin/bun"],
  deno: ["@deno/linux-x64-glibc/deno", "run", "--allow-all"],
};
const here = process.platform === "linux" && process.arch === "x64" ? Object.entries(RUNTIMES) : [];

const node = (file) => [process.execPath, [file]];
/** By name: what runs it. */
const PROGRAMS = {
  nest: node(`${OUT}nest.js`),
  opentelemetry: node("opentelemetry.cjs"),
  "dd-trace": node("dd-trace.cjs"),
  pubsub: node("pubsub.cjs"),
  firestore: node("firestore.cjs"),
  etcd3: node("etcd3.cjs"),
  otlp: node("otlp.cjs"),
  "ts-proto": node(`${OUT}ts-proto.js`),
  "loader-types": node(`${OUT}loader-types.js`),
  "nice-grpc": node("nice-grpc.cjs"),
  "health-reflection": node("health-reflection.cjs"),
  "own-policy": node("own-policy.cjs"),
  xds: node("xds.cjs"),
  "xds-calls": node("xds-calls.cjs"),
  "xds-server": node("xds-server.cjs"),
  calls: node("calls.cjs"),
  ...Object.fromEntries(here.map(([name, [program, ...args]]) => [name, [`${HERE}node_modules/${program}`, [...args, "calls.cjs"]]])),
  jest: [bin("jest"), ["--ci", "--silent", "--testMatch", "**/*.jest.cjs"]],
};

/** Puts one of the two where the programs find grpc-js; the registry's is kept beside. */
function install(folder) {
  rmSync(PLACE, { recursive: true, force: true });
  cpSync(folder, PLACE, { recursive: true });
}

/** The output of a program. Jest prints its times elsewhere. */
async function said([command, args]) {
  const { stdout } = await run(command, args, { cwd: HERE, timeout: SECONDS * 1_000 });
  return stdout;
}

/** Programs in TypeScript, compiled beside what generators write for them, on both: types are compared too. */
const COMPILED = ["nest", "ts-proto", "loader-types"];

async function generate() {
  for (const folder of ["ts-proto", "loader"]) mkdirSync(`${OUT}generated/${folder}`, { recursive: true });
  const options = "outputServices=grpc-js,esModuleInterop=true,env=node";
  await run(PYTHON, ["-m", "grpc_tools.protoc", `-I${HERE}`, `--plugin=${bin("protoc-gen-ts_proto")}`, `--ts_proto_out=${OUT}generated/ts-proto`, `--ts_proto_opt=${options}`, "note.proto"]);
  await run(bin("proto-loader-gen-types"), ["--grpcLib=@grpc/grpc-js", "--defaults", `--outDir=${OUT}generated/loader`, `${HERE}note.proto`]);
}

const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(PROGRAMS);
mkdirSync(OUT, { recursive: true });
for (const file of ["note.proto", "tsconfig.json", ...COMPILED.map((name) => `${name}.ts`)]) cpSync(`${HERE}${file}`, `${OUT}${file}`);
rmSync(`${OUT}node_modules`, { force: true });
symlinkSync(`${HERE}node_modules`, `${OUT}node_modules`);
const compiles = wanted.some((name) => COMPILED.includes(name));
if (compiles) await generate();
if (!existsSync(ORIGINAL)) renameSync(PLACE, ORIGINAL);
const failures = [];
const results = { theirs: {}, ours: {} };
for (const [whose, folder] of [["theirs", ORIGINAL], ["ours", OURS]]) {
  install(folder);
  if (compiles) await run(bin("tsc"), ["-p", OUT]);
  for (const name of wanted) {
    try {
      results[whose][name] = await said(PROGRAMS[name]);
    } catch (error) {
      failures.push(`${name} on ${whose}: ${error.killed ? `no end within ${SECONDS} s` : ""}\n${error.stdout ?? ""}${error.stderr ?? error.message}`);
    }
  }
}
for (const name of wanted) {
  const { [name]: theirs } = results.theirs;
  const { [name]: ours } = results.ours;
  if (theirs !== undefined && ours !== undefined && theirs !== ours) failures.push(`${name}: on grpc-js\n${theirs}\non ours\n${ours}`);
  console.log(`${theirs !== undefined && theirs === ours ? "passed" : "FAILED"}  ${name}`);
}
for (const failure of failures) console.error(`\n${failure}`);
if (failures.length > 0) process.exit(1);
