// What the package holds, after `tsc` has checked the sources and written their declarations into dist/src.
//
//   dist/lib     ES modules, one for each source file, for bundlers and browsers, and the types of the entries
//   dist/node    for Node, one file for each entry: the module that `require` and `import` share, the names that `import` finds
//                of it, and their types
//
// Bundlers leave out modules that a program does not reach: `sideEffects` in package.json says that no module has effects when it
// is loaded. Statements of one file that call something cannot be left out, so dist/lib must not join modules.
//
// In Node both reach one CommonJS module, so that a program and its libraries share classes and state however each of them
// loads it. What it exports is a plain object, which instrumentations and test frameworks replace functions of.
// Bundlers take dist/lib by the condition `module`, for `require` too: an ES module that they write cannot `require` what Node
// has, which a CommonJS module does.

import { appendFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { build } from "esbuild";

const ENTRIES = ["core/index", "pack/index", "pack/small", "grpc/index", "grpc/modern/pack-service"];
/** The package's own name: the parts by their names. `portable` stands for it where there are no sockets. */
const ROOT = "index";
const PORTABLE = "portable";
const PARTS = ["core", "grpc", "pack"];
/** Entries that others take as they are: no file holds a second copy of the classes that a program compares. */
const SHARED = [...PARTS.map((part) => `./${part}/index.js`), "../../pack/index.js"];

/** The exports of a bundle become properties like any others; esbuild makes getters of them. */
const PLAIN = `
{
  const exported = { ...module.exports };
  Object.defineProperty(exported, "__esModule", { value: true });
  Object.defineProperty(exported, "default", { value: exported, writable: true, configurable: true });
  module.exports = exported;
}`;

const inCommonJs = {
  name: "shared",
  setup(bundle) {
    bundle.onResolve({ filter: /\.js$/ }, ({ path }) => (SHARED.includes(path) ? { path: path.replace(/\.js$/, ".cjs"), external: true } : undefined));
  },
};

const source = (entry) => `src/${entry}.ts`;
const options = { bundle: true, target: "es2022", outbase: "src", logLevel: "warning" };

function write(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

for (const folder of ["dist/lib", "dist/node"]) rmSync(folder, { recursive: true, force: true });

await build({
  ...options,
  bundle: false,
  entryPoints: ["src/**/*.ts"],
  format: "esm",
  outdir: "dist/lib",
});

await build({
  ...options,
  entryPoints: ENTRIES.map(source),
  format: "cjs",
  platform: "node",
  plugins: [inCommonJs],
  banner: { js: '"use strict";' },
  footer: { js: PLAIN },
  outExtension: { ".js": ".cjs" },
  outdir: "dist/node",
});

/**
 * A class that names itself is `var Codec = class _Codec` in a bundle, and `_Codec` wherever a debugger or an error text shows
 * its name. Both names are one class, so it gets its own again. One that shares its name with another class keeps the second.
 */
for (const file of readdirSync("dist/node", { recursive: true }).filter((file) => file.endsWith(".cjs"))) {
  const path = `dist/node/${file}`;
  const text = readFileSync(path, "utf8");
  const names = new Set([...text.matchAll(/^var (\w+) = class _\1\b/gm)].map(([, name]) => name));
  writeFileSync(path, text.replace(/(?<![.\w$])_(\w+)/g, (found, name) => (names.has(name) ? name : found)));
}

write(`dist/node/${ROOT}.cjs`, `"use strict";\nmodule.exports = { ${PARTS.map((part) => `${part}: require("./${part}/index.cjs")`).join(", ")} };${PLAIN}\n`);

// Names are read from an ES module, where esbuild counts them.
const { metafile } = await build({ ...options, entryPoints: [PORTABLE, ROOT, ...ENTRIES].map(source), format: "esm", platform: "node", write: false, metafile: true, outdir: "names" });
for (const entry of [PORTABLE, ROOT, ...ENTRIES]) {
  const { exports } = metafile.outputs[`names/${entry}.js`];
  const file = entry.slice(entry.lastIndexOf("/") + 1);
  const declared = `${"../".repeat(entry.split("/").length)}src/${entry}.js`;
  const types = `export * from "${declared}";\nimport * as all from "${declared}";\nexport default all;\n`;
  // A module that imports itself: bundlers still leave out what a program does not use.
  appendFileSync(`dist/lib/${entry}.js`, `import * as all from "./${file}.js";\nexport default all;\n`);
  write(`dist/lib/${entry}.d.ts`, types);
  if (entry === PORTABLE) continue;
  write(`dist/node/${entry}.mjs`, `import all from "./${file}.cjs";\nexport const { ${exports.join(", ")} } = all;\nexport default all;\n`);
  write(`dist/node/${entry}.d.mts`, types);
}

// Declarations that CommonJS finds: those of dist/src under the names of its files. In both, typed arrays have no type argument:
// compilers before 5.7 know none, and what is public has the default.
for (const file of readdirSync("dist/src", { recursive: true }).filter((file) => file.endsWith(".d.ts"))) {
  const written = readFileSync(`dist/src/${file}`, "utf8");
  const declared = written.replace(/\b(\w+Array|Buffer)<ArrayBuffer(?:Like)?>/g, "$1");
  if (declared !== written) writeFileSync(`dist/src/${file}`, declared);
  const text = declared.replace(/((?:from|import)\s*\(?\s*")(\.[^"]+)\.js"/g, '$1$2.cjs"').replace(/^\/\/# sourceMappingURL.*\n?/m, "");
  write(`dist/node/${file.replace(/\.d\.ts$/, ".d.cts")}`, text);
}
