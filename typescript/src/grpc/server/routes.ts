import type { Route } from "./handler.js";

/** The methods of a server by path. What is derived from them is valid until `version` changes. */
export class Routes {
  readonly byPath = new Map<string, Route>();
  #version = 1;

  get version(): number {
    return this.#version;
  }

  get(path: string): Route | undefined {
    return this.byPath.get(path);
  }

  /** @returns false if the path has a method already, which stays */
  add(route: Route): boolean {
    if (this.byPath.has(route.path)) return false;
    this.byPath.set(route.path, route);
    this.#version += 1;
    return true;
  }

  /** @returns whether there was one */
  remove(path: string): boolean {
    this.#version += 1;
    return this.byPath.delete(path);
  }
}
