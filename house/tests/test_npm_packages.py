"""The two npm packages in projects as people have them: CommonJS, ES modules, TypeScript old and new, and by `overrides`."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from house import packages

MODULES = packages.ROOT / "typescript/node_modules"
#: What is wrong with the declarations for this compiler is wrong for all that are newer.
OLD_TYPESCRIPT = packages.ROOT / "house/compilers/node_modules/typescript/bin/tsc"
#: What the guide says that a program's `package.json` has.
GUIDE = (packages.ROOT / "docs/grpc.md").read_text("utf-8")
PRINTED = GUIDE.partition("## Moving from grpc-js\n")[2].partition("```json\n")[2].partition("```")[0]

#: A third-party library that depends on grpc-js, and imports its internal files.
LIBRARY = """
const grpc = require("@grpc/grpc-js");
const { Client } = require("@grpc/grpc-js/build/src/client");
const { Metadata } = require("@grpc/grpc-js/build/src/metadata.js");
const { version } = require("@grpc/grpc-js/package.json");
if (Client !== grpc.Client || Metadata !== grpc.Metadata) throw new Error("two modules");
if (!/^1\\.14\\.\\d+$/.test(version)) throw new Error(version);
module.exports = grpc;
"""
#: What an instrumentation does: it puts functions of its own in the place of the package's.
REPLACED = """
const grpc = require("@grpc/grpc-js");
const original = grpc.makeGenericClientConstructor;
grpc.makeGenericClientConstructor = (...rest) => original(...rest);
if (grpc.makeGenericClientConstructor === original) throw new Error("the exports cannot be changed");
"""
IMPORTED = """
import grpc, { Metadata, Server } from "@grpc/grpc-js";
import library from "library";
if (grpc.Server !== Server || library.Metadata !== Metadata || library !== grpc) throw new Error("two modules");
"""
OWN = """
import all, { grpc as part } from "samewire";
import grpc, { Server } from "samewire/grpc";
import { createRequire } from "node:module";
const required = createRequire(import.meta.url)("samewire/grpc");
if (required !== grpc || required.Server !== Server || all.grpc !== part || part !== grpc) throw new Error("two modules");
"""
#: A call from a client to a server, through every kind of import that TypeScript has.
PROGRAM = """
import * as grpc from "MODULE";
import whole from "MODULE";
import { Metadata, status, type sendUnaryData, type ServerUnaryCall } from "MODULE";
import required = require("MODULE");
IMPORTS

const bytes = (value: Buffer): Buffer => value;
const path = "/Echo/Echo";
const kind = { path, requestStream: false, responseStream: false } as const;
const Echo = { ...kind, requestSerialize: bytes, requestDeserialize: bytes, responseSerialize: bytes, responseDeserialize: bytes };
if (whole.Server !== grpc.Server || required.Server !== grpc.Server) throw new Error("two modules");

const server = new grpc.Server();
server.addService({ Echo }, {
  Echo(call: ServerUnaryCall<Buffer, Buffer>, callback: sendUnaryData<Buffer>) {
    callback(null, Buffer.concat([call.request, Buffer.from(String(call.metadata.get("name")[0]))]));
  },
});
server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (fault, port) => {
  if (fault) throw fault;
  const client = new grpc.Client(`127.0.0.1:${port}`, grpc.credentials.createInsecure());
  const metadata = new Metadata();
  metadata.set("name", "Carrie");
  client.makeUnaryRequest(path, bytes, bytes, Buffer.from("by "), metadata, (error, reply) => {
    if (error !== null && error.code !== status.OK) throw error;
    if (String(reply) !== "by Carrie") throw new Error(String(reply));
    console.log("answered");
    client.close();
    server.forceShutdown();
  });
});
"""
DEEP = """
import type { ClientOptions } from "@grpc/grpc-js/build/src/client";
import type { ChannelOptions } from "@grpc/grpc-js/build/src/channel-options";
import { Status } from "@grpc/grpc-js/build/src/constants";
export const options: [ClientOptions, ChannelOptions, Status] = [{}, { "grpc.enable_retries": 0 }, Status.OK];
"""
PACK = """
import * as pack from "samewire/pack";
import { packService } from "samewire/grpc/pack";
import { SamewireError } from "samewire/core";
import { grpc as part } from "samewire";
export const service = packService("books.Shelf", { Get: { request: pack.string, response: pack.i32 } });
if (part.Server !== grpc.Server || !(new SamewireError("truncated", "x") instanceof Error)) throw new Error("two modules");
"""
#: Types that a release without `const` type parameters infers as well.
LITERALS = """
const Book = pack.struct("Book", { color: pack.enumeration("Color", ["red", "green"]), place: pack.tuple(pack.i32, pack.string) });
const Shelf = packService("books.Shelf", {
  Get: { request: pack.string, response: Book },
  All: { request: pack.i32, response: pack.union([Book, pack.struct("Film", { year: pack.i32 })]), responseStream: true },
});
export async function colors(client: grpc.ClientOf<typeof Shelf>): Promise<("red" | "green")[]> {
  const found: ("red" | "green")[] = [(await client.Get("Carrie")).color];
  for await (const item of client.All(3)) found.push(item.type === "Book" ? item.color : "red");
  return found;
}
"""
DEFAULTS = """
import core from "samewire/core";
import services from "samewire/grpc/pack";
import packed from "samewire/pack";
import root from "samewire";
export const defaults: unknown[] = [core.SamewireError, services.packService, packed.codec, root.pack];
"""
#: By module resolution, what TypeScript is given: any kind of import, and no `skipLibCheck`.
CHECKED = {
    "node16, es2020": {"module": "node16", "moduleResolution": "node16", "target": "es2020"},
    "node10, es2020": {"module": "commonjs", "moduleResolution": "node", "target": "es2020"},
    "bundler, es2022": {"module": "esnext", "moduleResolution": "bundler", "target": "es2022"},
}
RESOLUTIONS = {
    "node10": {"module": "commonjs", "moduleResolution": "node10"},
    "node16": {"module": "node16", "moduleResolution": "node16"},
}


@pytest.fixture(scope="module")
def tarballs(made: dict[str, Path]) -> list[Path]:
    """Ours, and the one that stands in for grpc-js."""
    return [made["samewire.tgz"], made[f"samewire-grpc-js-{packages.GRPC_JS}.tgz"]]


@pytest.fixture(scope="module")
def project(tarballs: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project of CommonJS with both, and with a library whose grpc-js is ours by the guide's `overrides`."""
    folder = tmp_path_factory.mktemp("project")
    library = folder / "library"
    library.mkdir()
    needs = {"@grpc/grpc-js": "^1.10.0"}
    (library / "package.json").write_text(
        json.dumps({"name": "library", "version": "1.0.0", "main": "index.js", "dependencies": needs})
    )
    (library / "index.js").write_text(LIBRARY)
    for tarball in tarballs:
        shutil.copy(tarball, folder)
    manifest = json.loads(PRINTED)
    manifest["dependencies"] |= {"library": "file:library", "samewire": f"file:{tarballs[0].name}"}
    (folder / "package.json").write_text(json.dumps(manifest))
    run(["npm", "install", "--offline", "--install-links", "--no-audit", "--no-fund", "--silent"], folder)
    (folder / "node_modules/@types").mkdir()
    for name in ("@types/node", "undici-types"):
        (folder / "node_modules" / name).symlink_to(MODULES / name)
    return folder


def run(command: list[str], folder: Path) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.hard
@pytest.mark.parametrize("which", [0, 1], ids=["samewire", "grpc-js"])
def test_its_types_are_found_by_every_resolution(tarballs: list[Path], which: int, tmp_path: Path) -> None:
    run([str(MODULES / ".bin/attw"), str(tarballs[which]), "--no-color", "--no-emoji"], tmp_path)


@pytest.mark.parametrize("program", [REPLACED, 'require("library");'], ids=["replaced exports", "transitive use"])
def test_a_program_of_commonjs(project: Path, program: str) -> None:
    (project / "program.cjs").write_text(program)
    run(["node", "program.cjs"], project)


@pytest.mark.parametrize("program", [IMPORTED, OWN], ids=["grpc-js", "samewire"])
def test_a_program_of_es_modules_gets_what_commonjs_gets(project: Path, program: str) -> None:
    (project / "program.mjs").write_text(program)
    run(["node", "program.mjs"], project)


MODULES_IMPORTED = {"grpc-js": ("@grpc/grpc-js", DEEP), "samewire": ("samewire/grpc", PACK)}


@pytest.fixture(scope="module")
def compiled(project: Path) -> Path:
    """A program for each module in each resolution, which are compiled together: what they all import is parsed once.

    Declarations are checked too, as they are in a project that does not ask for `skipLibCheck`.
    """
    for resolution, given in RESOLUTIONS.items():
        folder = project / resolution
        folder.mkdir()
        for name, (module, imports) in MODULES_IMPORTED.items():
            (folder / f"{name}.ts").write_text(PROGRAM.replace("MODULE", module).replace("IMPORTS", imports))
        options = {"target": "es2022", "strict": True, "esModuleInterop": True, "types": ["node"], **given}
        files = [f"{name}.ts" for name in MODULES_IMPORTED]
        (folder / "tsconfig.json").write_text(json.dumps({"compilerOptions": options, "files": files}))
    run([str(MODULES / ".bin/tsc"), "-b", *RESOLUTIONS], project)
    return project


@pytest.mark.parametrize("resolution", RESOLUTIONS)
@pytest.mark.parametrize("name", MODULES_IMPORTED)
def test_a_program_of_typescript_in_commonjs(compiled: Path, resolution: str, name: str) -> None:
    assert run(["node", f"{name}.js"], compiled / resolution) == "answered\n"


@pytest.mark.parametrize(
    ("compiler", "given"),
    [
        pytest.param(compiler, given, id=f"{name}, {options}")
        for name, compiler in (("TypeScript 4.9", OLD_TYPESCRIPT), ("TypeScript 5", MODULES / "typescript/bin/tsc"))
        for options, given in CHECKED.items()
        if name != "TypeScript 4.9" or given["moduleResolution"] != "bundler"
    ],
)
def test_declarations_need_no_new_compiler_or_library(
    project: Path, tmp_path: Path, compiler: Path, given: dict[str, str]
) -> None:
    (tmp_path / "node_modules").symlink_to(project / "node_modules")
    program = PROGRAM.replace("MODULE", "samewire/grpc").replace("IMPORTS", PACK + DEFAULTS + LITERALS)
    if given["module"] == "esnext":
        # Nor is there a compiler's `require`, or Node's root, in the modules of bundlers.
        program = program.replace('import required = require("samewire/grpc");', "const required = grpc;")
        program = program.replace('import { grpc as part } from "samewire";', "const part = grpc;")
    (tmp_path / "program.ts").write_text(program)
    options = {"strict": True, "esModuleInterop": True, "types": ["node"], "noEmit": True, **given}
    (tmp_path / "tsconfig.json").write_text(json.dumps({"compilerOptions": options, "files": ["program.ts"]}))
    run(["node", str(compiler)], tmp_path)


#: A call from a client to a server, whose messages are values of `pack`.
BUNDLED = """
import grpc, { createClient, createServer } from "samewire/grpc";
import { packService } from "samewire/grpc/pack";
import * as pack from "samewire/pack";
import { grpc as part } from "samewire";

async function main(): Promise<void> {
  if (grpc.createClient !== createClient || part.createClient !== createClient) throw new Error("two modules");
  const Shelf = packService("books.Shelf", { Get: { request: pack.string, response: pack.i32 } });
  const server = createServer().add(Shelf, { Get: (name) => name.length });
  const port = await server.serve("127.0.0.1:0");
  const client = createClient(Shelf, `127.0.0.1:${port}`);
  if ((await client.Get("Carrie")) === 6) console.log("answered");
  await client[Symbol.asyncDispose]();
  await server.close(1_000);
}
void main();
"""


@pytest.mark.parametrize(("form", "ending"), [("esm", "mjs"), ("cjs", "cjs")])
def test_a_bundle_by_esbuild_runs_without_the_package(project: Path, tmp_path: Path, form: str, ending: str) -> None:
    (project / "bundled.ts").write_text(BUNDLED)
    bundle = tmp_path / f"bundle.{ending}"
    options = ["--bundle", "--platform=node", f"--format={form}", "--log-level=warning", f"--outfile={bundle}"]
    run([str(MODULES / ".bin/esbuild"), "bundled.ts", *options], project)
    assert run(["node", str(bundle)], tmp_path) == "answered\n"
