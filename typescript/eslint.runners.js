// Rules for the JavaScript of bench/, which has no linter of its own.

import js from "@eslint/js";

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
