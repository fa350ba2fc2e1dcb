// Third-party test suites for gRPC: h2spec over plain TCP and TLS, interop clients of grpc-go and grpcio against our server, our client
// against their interop servers, grpcurl through reflection.
//
// usage: node run.mjs [--short] [--only TEXT]     --short leaves the soak tests and grpcurl out; --only runs what has TEXT in its name

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { PYTHON, besideGrpcGo, besideGrpcio, besideOurs, build, certificate, grpcio, judge, ourClient, program, scratch } from "./programs.mjs";

const CASES = [
  "empty_unary", "large_unary", "client_streaming", "server_streaming", "ping_pong", "empty_stream",
  "timeout_on_sleeping_server", "cancel_after_begin", "cancel_after_first_response", "status_code_and_message",
  "special_status_message", "custom_metadata", "unimplemented_method", "unimplemented_service", "pick_first_unary",
];
const SOAKS = ["rpc_soak", "channel_soak"];
const SOAK = ["--soak_iterations", "100", "--soak_max_failures", "0", "--soak_overall_timeout_seconds", "120", "--soak_per_iteration_max_acceptable_latency_ms", "5000"];
/** grpc-go's server does not fill in who it is, which this case asks for. */
const NOT_OF_GRPC_GO = new Set(["pick_first_unary"]);

const { values: options } = parseArgs({ options: { short: { type: "boolean" }, only: { type: "string" } } });
const cases = options.short ? CASES : [...CASES, ...SOAKS];
const wanted = (name) => options.only === undefined || name.includes(options.only);

let ran = 0;
const failures = [];

function report(name, { passed, text }) {
  ran++;
  console.log(`${passed ? "passed" : "FAILED"}  ${name}`);
  if (!passed) failures.push(`${name}\n${text.trim().split("\n").slice(-12).join("\n")}`);
}

/** Each test case of h2spec's JUnit report counts. */
async function h2spec(title, args, extra) {
  if (!wanted(title)) return;
  await besideOurs(args, async (port) => {
    const file = scratch("h2spec.xml");
    const path = "/grpc.testing.TestService/EmptyCall";
    const { text } = await judge(program("h2spec"), ["-p", String(port), "-P", path, "-j", file, ...extra], 300_000);
    const summary = /(\d+) tests, (\d+) passed, (\d+) skipped, (\d+) failed/.exec(text);
    if (summary === null) return report(title, { passed: false, text });
    const [tests, passed, skipped, failed] = summary.slice(1).map(Number);
    ran += tests - 1;
    const failed_ = readFileSync(file, "utf8").split("<testcase").filter((part) => /<(failure|error)/.test(part));
    const named = failed_.map((part) => part.slice(0, 300)).join("\n");
    report(`${title}: ${tests} tests, ${passed} passed, ${skipped} skipped by h2spec, ${failed} failed`, { passed: failed === 0, text: named });
  });
}

async function theirClient(title, args, extra) {
  for (const name of cases) {
    if (!wanted(`${title} ${name}`)) continue;
    await besideOurs(args, async (port) => {
      const soak = SOAKS.includes(name) ? SOAK : [];
      const flags = ["--server_host", "127.0.0.1", "--server_port", String(port), "--test_case", name, ...extra, ...soak];
      report(`${title} ${name}`, await judge(program("client"), flags, 180_000));
    });
  }
}

async function ourClientThere(peer, beside, names) {
  await beside(async (port) => {
    for (const name of names) {
      const title = `our client, ${peer}'s server: ${name}`;
      if (wanted(title)) report(title, await judge(process.execPath, [ourClient, `127.0.0.1:${port}`, name], 180_000));
    }
  });
}

/** Each case that grpcio's client names counts. */
async function grpcioClient(title, args, extra) {
  if (!wanted(title)) return;
  await besideOurs(args, async (port) => {
    const { passed, text } = await judge(PYTHON, [grpcio, "call", `127.0.0.1:${port}`, ...extra], 180_000);
    const lines = text.split("\n").filter((line) => /^[a-z_]+: (passed|failed)/.test(line));
    for (const line of lines) report(`${title} ${line.split(":")[0]}`, { passed: line.endsWith(": passed"), text: line });
    if (lines.length === 0 || (!passed && lines.every((line) => line.endsWith(": passed")))) report(title, { passed: false, text });
  });
}

async function reflection() {
  const title = "grpcurl, reflection";
  if (!wanted(title)) return;
  await besideOurs([], async (port) => {
    const address = `127.0.0.1:${port}`;
    const has = ({ text, passed }, expected) => ({ passed: passed && text.includes(expected), text });
    const at = (...args) => judge(program("grpcurl"), ["-plaintext", ...args]);
    report(`${title}: list`, has(await at(address, "list"), "grpc.testing.TestService"));
    report(`${title}: describe`, has(await at(address, "describe", "grpc.testing.TestService.UnaryCall"), "SimpleRequest"));
    report(`${title}: call`, has(await at("-d", '{"response_size": 3}', address, "grpc.testing.TestService/UnaryCall"), "AAAA"));
  });
}

const programs = options.short ? ["h2spec", "client", "server"] : ["h2spec", "client", "server", "grpcurl"];
console.log(`building ${programs.join(", ")} (minutes for the first time)`);
await build(programs);
const { key, cert } = await certificate();
const tls = ["--use_tls", "--use_test_ca", "--ca_file", cert, "--server_host_override", "localhost"];

await h2spec("h2spec, plain", [], []);
await h2spec("h2spec, TLS", [cert, key], ["-t", "-k"]);
await theirClient("grpc-go's client, our server:", [], []);
await theirClient("grpc-go's client, our server over TLS:", [cert, key], tls);
await grpcioClient("grpcio's client, our server:", [], []);
await grpcioClient("grpcio's client, our server over TLS:", [cert, key], [cert]);
await ourClientThere("grpc-go", besideGrpcGo, cases.filter((name) => !NOT_OF_GRPC_GO.has(name)));
await ourClientThere("grpcio", besideGrpcio, cases);
if (!options.short) await reflection();

for (const failure of failures) console.error(`\n${failure}`);
console.log(`interop: ${ran} tests ran, ${failures.length} failures`);
if (ran === 0 || failures.length > 0) process.exit(1);
const executed = fileURLToPath(new URL("../../build/executed/", import.meta.url));
mkdirSync(executed, { recursive: true });
writeFileSync(`${executed}interop.json`, `${JSON.stringify({ language: "interop", vectors: {}, tests: ran })}\n`);
