// Runs the tests of dist/test with Node's own runner.
//
//   npm test                     all tests, with a report in ../build/reports for the root's count of tests
//   npm run quick                all but the long ones, in under a minute
//   npm run quick -- NAME        the files with NAME in their path, or else the tests whose names match NAME
//   NODE run-tests.js --runtime  in another Node: what depends on it, with a report
//   npm run hard                 what judges time, rates or a process' memory, one at a time, on a machine that does nothing else
//
// The long ones: headless Chromium, the search for the message that takes the most memory, load on servers, gRPC's fuzzers.

import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";

const LONG = /browser|memory|storm|attack|server-processes/;
/** Asynchronous context, sockets, TLS, processes, names, ways to load a module, generated code, texts and WebAssembly. */
const RUNTIME = new RegExp(
  `^(?:package|generated/exchange|transport/.*|grpc/(?:${[
    "adaptive-spin", "advice", "async-context", "certificate-providers", "client-calls", "connection", "grpc-js-client", "instrumented",
    "lazy-emitter", "modern", "name-resolution", "proxy", "read-buffer", "server-calls", "server-processes", "transport",
  ].join("|")})|pack/(?:changing-values|codec|digests|engine|misuse|texts|types|untrusted))\\.test\\.js$`,
);
const MILLISECONDS = 300_000;
/** Files that are run once more; of more, it is not chance that fails. */
const MOST_RERUN = 3;

const [mode, name] = process.argv.slice(2);
const quick = mode === "--quick";
const hard = mode === "--hard";
const runtime = mode === "--runtime";
const folder = new URL("dist/test/", import.meta.url);
const files = readdirSync(folder, { recursive: true })
  .filter((file) => file.endsWith(".test.js"))
  .filter((file) => !runtime || RUNTIME.test(file))
  .sort()
  .map((file) => `dist/test/${file}`);
/** Files to run: those named, those that hold a test of that name, or all that are not too long. */
function chosen() {
  if (hard) return ["--test-concurrency=1", "--test-name-pattern=^hard: ", ...files.filter((file) => readFileSync(new URL(file, import.meta.url), "utf8").includes("hardTest("))];
  if (name === undefined) return files.filter((file) => !quick || !LONG.test(file));
  const named = files.filter((file) => file.includes(name));
  if (named.length > 0) return named;
  const pattern = new RegExp(name);
  const holding = files.filter((file) => pattern.test(readFileSync(new URL(file, import.meta.url), "utf8")));
  return [`--test-name-pattern=${name}`, ...(holding.length > 0 ? holding : files)];
}

const options = ["--test", `--test-timeout=${MILLISECONDS}`, `--test-reporter=${name === undefined && !hard ? "dot" : "spec"}`, "--test-reporter-destination=stdout"];
const reports = new URL("../build/reports/", import.meta.url);

/** Runs tests; its exit code. With `report`, a file of that name says which ran. */
function run(tests, report) {
  // Property tests have the same values in each run that is reported; other values are for `npm run quick` and the fuzzers.
  const reported = report === undefined ? [] : ["--import=./dist/test/same-values.js", "--test-reporter=./test-reporter.js", `--test-reporter-destination=../build/reports/${report}`];
  return spawnSync(process.execPath, [...options, ...reported, ...tests], { cwd: new URL(".", import.meta.url), stdio: "inherit", env: { ...process.env, SAMEWIRE_HARD: hard ? "1" : "0" } }).status ?? 1;
}

/** Lines of a report, one for each test. */
const lines = (report) => readFileSync(new URL(report, reports), "utf8").split("\n");

/**
 * Runs tests with a report. Attacks and killed servers run beside other work on two cores: files that fail are run once more, as
 * Python's and Java's tests are, and named (`RERUN`). What fails then, too, or many at once, fails.
 */
function runReported(report) {
  const status = run(chosen(), report);
  if (status === 0) return status;
  const all = lines(report);
  const failed = new Set(all.filter((line) => line.includes("<failure/>")).map((line) => /dist\/test\/[^"]*/.exec(line)?.[0]));
  if (failed.size === 0 || failed.size > MOST_RERUN || failed.has(undefined)) return status;
  const again = run([...failed], `again-${report}`);
  const rest = all.filter((line) => ![...failed].some((file) => line.includes(`${file}"`)));
  const ends = rest.lastIndexOf("</testsuites>");
  const repeated = lines(`again-${report}`).filter((line) => line.startsWith("<testcase"));
  writeFileSync(new URL(report, reports), [...rest.slice(0, ends), ...repeated, ...rest.slice(ends)].join("\n"));
  for (const file of failed) console.log(`RERUN ${file}`);
  return again;
}

if (!quick) mkdirSync(reports, { recursive: true });
process.exit(quick || hard ? run(chosen()) : runReported(`${runtime ? "node" : "typescript"}.xml`));
