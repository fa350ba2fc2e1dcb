// Runs the tests of dist/test with Node's own runner.
//
//   npm test                     all tests, with a report in ../build/reports for the root's count of tests
//   npm run quick                all but the long ones, in under a minute
//   npm run quick -- NAME        the files with NAME in their path, or else the tests whose names match NAME
//   NODE run-tests.js --runtime  in another Node: what depends on it, with a report
//
// The long ones: headless Chromium, the search for the message that takes the most memory, load on servers, gRPC's fuzzers.

import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync } from "node:fs";

const LONG = /browser|memory|storm|attack|server-processes/;
/** Asynchronous context, sockets, TLS, processes, names, ways to load a module, generated code, texts and WebAssembly. */
const RUNTIME = new RegExp(
  `^(?:package|generated/exchange|transport/.*|grpc/(?:${[
    "adaptive-spin", "advice", "async-context", "certificate-providers", "client-calls", "connection", "grpc-js-client", "instrumented",
    "lazy-emitter", "modern", "name-resolution", "proxy", "read-buffer", "server-calls", "server-processes", "transport",
  ].join("|")})|pack/(?:changing-values|codec|digests|engine|misuse|texts|types|untrusted))\\.test\\.js$`,
);
const MILLISECONDS = 300_000;

const [mode, name] = process.argv.slice(2);
const quick = mode === "--quick";
const runtime = mode === "--runtime";
const folder = new URL("dist/test/", import.meta.url);
const files = readdirSync(folder, { recursive: true })
  .filter((file) => file.endsWith(".test.js"))
  .filter((file) => !runtime || RUNTIME.test(file))
  .sort()
  .map((file) => `dist/test/${file}`);
/** Files to run: those named, those that hold a test of that name, or all that are not too long. */
function chosen() {
  if (name === undefined) return files.filter((file) => !quick || !LONG.test(file));
  const named = files.filter((file) => file.includes(name));
  if (named.length > 0) return named;
  const pattern = new RegExp(name);
  const holding = files.filter((file) => pattern.test(readFileSync(new URL(file, import.meta.url), "utf8")));
  return [`--test-name-pattern=${name}`, ...(holding.length > 0 ? holding : files)];
}

const options = ["--test", `--test-timeout=${MILLISECONDS}`, `--test-reporter=${name === undefined ? "dot" : "spec"}`, "--test-reporter-destination=stdout"];
if (!quick) {
  mkdirSync(new URL("../build/reports/", import.meta.url), { recursive: true });
  options.push("--test-reporter=./test-reporter.js", `--test-reporter-destination=../build/reports/${runtime ? "node" : "typescript"}.xml`);
}
const { status } = spawnSync(process.execPath, [...options, ...chosen()], { cwd: new URL(".", import.meta.url), stdio: "inherit" });
process.exit(status ?? 1);
