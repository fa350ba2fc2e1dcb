import js from "@eslint/js";
import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["dist/"] },
  js.configs.recommended,
  {
    files: ["src/**/*.ts", "test/**/*.ts"],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: {
      parserOptions: {
        project: ["core", "pack", "grpc", "test", "generated"].map((name) => `./tsconfig.${name}.json`),
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      // Index arithmetic over checked buffers and compact number text are the daily bread of a codec.
      "@typescript-eslint/no-non-null-assertion": "off",
      // Texts are matched by their bytes here, U+0000 included.
      "no-control-regex": "off",
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true, allowBoolean: true }],
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
    },
  },
  {
    files: ["*.js", "interop/**/*.mjs"],
    languageOptions: { globals: { process: "readonly", console: "readonly", URL: "readonly" } },
  },
  {
    files: ["interop/**/*.cjs"],
    languageOptions: {
      sourceType: "commonjs",
      globals: Object.fromEntries(["process", "console", "Buffer", "__dirname", "setTimeout", "test", "expect", "jest"].map((name) => [name, "readonly"])),
    },
  },
  {
    files: ["test/**/*.ts"],
    // node:test returns promises that the runner itself awaits.
    rules: { "@typescript-eslint/no-floating-promises": "off" },
  },
  {
    files: ["src/grpc/**/*.ts"],
    rules: {
      // Only the transports meet the operating system.
      "no-restricted-imports": ["error", { paths: ["node:net", "node:tls", "node:dns", "node:dns/promises", "node:zlib", "node:http2", "node:fs"] }],
    },
  },
  {
    files: ["src/grpc/protocol/**/*.ts", "src/transport/timer-wheel.ts"],
    rules: {
      // Metadata has Buffers, as grpc-js's contract says; nothing else of Node is in reach.
      "no-restricted-imports": ["error", { patterns: ["node:*"] }],
      "no-restricted-globals": ["error", "process", "require", "setImmediate", "setTimeout", "performance"],
    },
  },
  {
    files: ["src/grpc/**/*.ts", "test/grpc/**/*.ts", "test/generated/*.ts"],
    // Status codes come from the wire: an enum's variable may hold a number that has no name. So do enums of generated code.
    rules: { "@typescript-eslint/no-unsafe-enum-assignment": "off", "@typescript-eslint/no-unsafe-enum-comparison": "off" },
  },
  { files: ["src/grpc/transport/**/*.ts", "src/transport/**/*.ts"], rules: { "no-restricted-imports": ["error", { paths: ["node:http2"] }] } },
  {
    files: ["src/core/**/*.ts", "src/pack/**/*.ts", "src/grpc/http2/**/*.ts"],
    rules: {
      // Codecs and protocol machines run in browsers: bytes are Uint8Array, and nothing of Node is in reach.
      "no-restricted-imports": ["error", { patterns: ["node:*"] }],
      "no-restricted-globals": ["error", "Buffer", "process", "require", "setImmediate"],
    },
  },
  // The rooms of pack: schema, then wire, then bind. Nothing imports a room above its own.
  { files: ["src/pack/schema/**/*.ts"], rules: { "no-restricted-imports": ["error", { patterns: ["node:*", "**/wire/**", "**/bind/**"] }] } },
  { files: ["src/pack/wire/**/*.ts"], rules: { "no-restricted-imports": ["error", { patterns: ["node:*", "**/bind/**"] }] } },
);
