// Rules for the runners in JavaScript; the linter is that of typescript/.

import js from "../typescript/node_modules/@eslint/js/src/index.js";

const named = (...names) => Object.fromEntries(names.map((name) => [name, "readonly"]));

export default [
  { ignores: ["**/node_modules/"] },
  js.configs.recommended,
  {
    files: ["**/*.mjs", "**/*.js"],
    languageOptions: {
      globals: named(
        ...["process", "console", "URL", "Buffer", "globalThis", "performance", "fetch", "TextEncoder", "TextDecoder"],
        ...["setTimeout", "clearTimeout", "setImmediate", "setInterval", "clearInterval", "AbortController", "AbortSignal", "queueMicrotask"],
        ...["document", "getComputedStyle", "location", "innerWidth", "addEventListener", "dispatchEvent", "Event"],
      ),
    },
    rules: { "no-unused-vars": ["error", { argsIgnorePattern: "^_" }], "no-control-regex": "off" },
  },
];
