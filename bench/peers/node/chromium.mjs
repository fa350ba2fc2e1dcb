// The runner in headless Chromium: same command line and same report as main.mjs.
// Files of the repository are handed to the page by route, so that no server is needed.

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { chromium } from "playwright-core";
import { parse } from "./arguments.mjs";
import { fileOf, list, version } from "./peers.mjs";
import { rendererClock } from "./renderer-clock.mjs";

const SHAPES = ["event", "ints", "doubles", "strings", "tree", "map", "booksRandom", "booksNum"];
/** Where the page finds the user's value: the file of each of these words. */
const OWN = { data: "/own/data", schema: "/own/schema", message: "/own/message" };
const ROOT = new URL("../../../", import.meta.url);
const ORIGIN = "http://bench.localhost";
const PACKAGES = "/bench/peers/node/node_modules";
const IMPORTS = {
  imports: {
    "cbor-x": `${PACKAGES}/cbor-x/index.js`,
    mitata: `${PACKAGES}/mitata/src/main.mjs`,
    msgpackr: `${PACKAGES}/msgpackr/index.js`,
  },
};
const PAGE = `<!doctype html><script type="importmap">${JSON.stringify(IMPORTS)}</script>`;
// An isolated page gets a clock of 5 microseconds instead of 100.
const ISOLATED = { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" };

async function answer(route, own, clock) {
  const { pathname } = new URL(route.request().url());
  const file = new URL(`.${pathname}`, ROOT);
  const word = Object.keys(OWN).find((each) => OWN[each] === pathname);
  if (pathname === "/cpu") await route.fulfill({ body: String(clock()), headers: ISOLATED });
  else if (pathname === "/") await route.fulfill({ body: PAGE, contentType: "text/html", headers: ISOLATED });
  else if (own && word) await route.fulfill({ body: await readFile(own[word]), headers: ISOLATED });
  else if (extname(pathname).endsWith("js") && existsSync(file)) {
    await route.fulfill({ body: await readFile(file), contentType: "text/javascript", headers: ISOLATED });
  } else await route.fulfill({ status: 404 });
}

/** Runs in the page. */
async function measure([file, name, versions, shape, own, plan]) {
  const { report } = await import("/bench/peers/node/measure.mjs");
  const { workload } = await import("/bench/peers/node/workload.mjs");
  const read = async (path) => new Uint8Array(await (await fetch(path)).arrayBuffer());
  const load = async () => (await import(file)).rows[name];
  const lines = [];
  const value = await workload(shape, own, read);
  for await (const line of report(load, (of) => versions[of] ?? "built in", value, plan, ["encode", "decode"])) lines.push(line);
  return lines;
}

if (process.argv[2] === "list") {
  const offered = (row) => [...SHAPES.filter((shape) => !row.workloads || row.workloads.includes(shape)), ...(row.own ? ["data"] : [])];
  const { harness, peers } = await list((row) => (row.browser ? offered(row) : []));
  console.log(JSON.stringify({ harness, peers }));
} else {
  const { name, shape, plan, own } = parse(process.argv.slice(2));
  const versions = Object.fromEntries(["samewire", "msgpackr", "cbor-x"].map((of) => [of, version(of)]));
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  const args = ["--no-sandbox", `--js-flags=${process.execArgv.join(" ")}`];
  // The lab's tests run it beside other tests.
  const browser = await chromium.launch({ executablePath, args, timeout: 300_000 });
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(300_000);
    let clock;
    await page.route(`${ORIGIN}/**`, (route) => answer(route, own, clock));
    await page.goto(`${ORIGIN}/`);
    clock = await rendererClock(browser);
    const file = new URL(fileOf(name), `${ORIGIN}/bench/peers/node/`).pathname;
    for (const line of await page.evaluate(measure, [file, name, versions, shape, own && OWN, plan])) console.log(JSON.stringify(line));
  } finally {
    await browser.close();
  }
}
