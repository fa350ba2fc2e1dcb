// npm runs this where it packs this folder for another project, as `npm install --install-links ./samewire/typescript` does. npm
// does not install what the build needs for a folder, so this does; a folder that has been built is packed as it is.

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL(".", import.meta.url));
const { env } = process;
/** `npm ci` and `npm install` in this folder itself: their caller builds afterwards. */
const own = env.INIT_CWD !== undefined && relative(env.INIT_CWD, folder) === "" && ["ci", "install"].includes(env.npm_command);
const built = existsSync(new URL("dist/node/index.mjs", import.meta.url));

/** Runs a command here, and says what to do where it fails. Its output goes to the error stream: `npm pack` prints a name. */
function run(...command) {
  // The options of the outer npm (`--global`, `--omit`) are not for this one; where packages come from is.
  const kept = Object.entries(env).filter(([name]) => !/^npm_(?!config_(?:.*registry|.*proxy|cache|cafile|userconfig|globalconfig|prefer_offline|offline|fetch_.*|strict_ssl)$)/i.test(name));
  const { status, error } = spawnSync(command[0], command.slice(1), { cwd: folder, env: Object.fromEntries(kept), stdio: ["ignore", 2, 2], shell: process.platform === "win32" });
  if (status === 0) return;
  console.error(`samewire: cannot build the package: \`${command.join(" ")}\` in ${folder} ${error === undefined ? `ended with ${status}` : `failed (${error.message})`}.
Run \`npm ci && npm run build\` there, or \`make build\` in the folder above it, and install again.`);
  process.exit(1);
}

if (!own && !built) {
  console.error(`samewire: building the package in ${folder}, once`);
  if (!existsSync(new URL("node_modules/typescript", import.meta.url))) run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error");
  run("npm", "run", "-s", "library");
}
