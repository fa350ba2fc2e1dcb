// The peers: every file `with-NAME.mjs` of this folder. It exports `rows`, by their names, NAME or NAME-…; a row is
//   prepare    (workload) => { encode, decode, into?, adapt?, input? }, the library set up for one workload
//   package    the npm package that tells the version; without one it is built into the platform
//   kind       typed, dynamic, schema or limit
//   checks     what is validated while decoding
//   trusted    whether it assumes that its input is friendly
//   own        whether it carries values of the user's own
//   workloads  those of the reference data that it carries; all, if not given
//   browser    whether it runs in one

import { readFileSync, readdirSync } from "node:fs";
import { SHAPES } from "./reference.mjs";

const FOLDER = new URL("./", import.meta.url);
const ROOT = new URL("../../../", FOLDER);

function json(url) {
  return JSON.parse(readFileSync(url, "utf8"));
}

/** The version of an npm package, ours as it lies beside the lab. */
export function version(name) {
  if (name === undefined) return `built into Node ${process.versions.node}`;
  return json(name === "samewire" ? new URL("typescript/package.json", ROOT) : new URL(`node_modules/${name}/package.json`, FOLDER)).version;
}

function stems() {
  return readdirSync(FOLDER).flatMap((file) => /^with-(.+)\.mjs$/.exec(file)?.[1] ?? []);
}

/** The file of a peer, to be imported by the one process that times it. */
export function fileOf(name) {
  const found = stems().filter((stem) => name === stem || name.startsWith(`${stem}-`));
  if (found.length === 0) throw new Error(`no peer ${name}`);
  return `./with-${found.sort((a, b) => b.length - a.length)[0]}.mjs`;
}

/** The rows of one file; where its package is not installed, one that says so. */
async function rowsOf(stem) {
  try {
    return (await import(`./with-${stem}.mjs`)).rows;
  } catch (error) {
    return { [stem]: { missing: error.message } };
  }
}

/** What `list` prints. `workloads`: which of those of a row are offered; `data` stands for the user's own. */
export async function list(workloads = (row) => [...(row.workloads ?? SHAPES), ...(row.own ? ["data"] : [])]) {
  const peers = {};
  for (const stem of stems()) {
    for (const [name, row] of Object.entries(await rowsOf(stem))) {
      const { kind, checks, trusted } = row;
      const offered = row.missing ? [] : workloads(row);
      if (row.missing) peers[name] = row;
      if (offered.length > 0) peers[name] = { workloads: offered, version: version(row.package), kind, checks, trusted };
    }
  }
  return { harness: `mitata ${version("mitata")}`, peers };
}
