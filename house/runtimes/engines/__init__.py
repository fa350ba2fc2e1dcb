"""Bun and Deno: JavaScript's runtimes beside Node, and what of TypeScript's tests is expected to fail in them."""
