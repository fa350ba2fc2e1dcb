import { described } from "../../core/described.js";
import type { Definition } from "./definition.js";

const EXPECTED = "expected a service's definition, an object with a method by each name (of packService, fromGeneric, fromProtobufEs, @grpc/proto-loader or ts-proto)";

/**
 * Checks that a program gave a definition, and says how to make one of what others take.
 * @throws TypeError
 */
export function checkDefinition(definition: unknown, of: string): asserts definition is Definition {
  if (typeof definition === "function") {
    const service: unknown = (definition as { service?: unknown }).service;
    const advice = typeof service === "object" && service !== null ? "; it is a client's class of grpc-js: pass its `service`" : "";
    throw new TypeError(`${of}: ${EXPECTED}, got ${described(definition)}${advice}`);
  }
  if (typeof definition !== "object" || definition === null || Array.isArray(definition)) throw new TypeError(`${of}: ${EXPECTED}, got ${described(definition)}`);
  const given = definition as Record<string, unknown>;
  if (typeof given["typeName"] === "string" && Array.isArray(given["methods"])) {
    throw new TypeError(`${of}: ${EXPECTED}, got the descriptor ${given["typeName"]} of protobuf-es: pass fromProtobufEs(it, { create, toBinary, fromBinary })`);
  }
  if (typeof given["fullName"] === "string" && typeof given["methods"] === "object") {
    throw new TypeError(`${of}: ${EXPECTED}, got the generic definition ${given["fullName"]} of ts-proto: pass fromGeneric(it)`);
  }
  const methods = Object.entries(given);
  if (methods.length === 0) throw new TypeError(`${of}: ${EXPECTED}, got ${described(definition)} without methods`);
  for (const [name, method] of methods) {
    const { path, requestSerialize, responseDeserialize, requestDeserialize, responseSerialize } = Object(method) as Record<string, unknown>;
    const isMethod = typeof path === "string" && [requestSerialize, responseDeserialize, requestDeserialize, responseSerialize].every((part) => typeof part === "function");
    if (!isMethod) throw new TypeError(`${of}: ${EXPECTED}; ${name} is ${described(method)} without a path or without the four functions that serialize and deserialize`);
  }
}

type Handlers = Readonly<Record<string, unknown>>;

/**
 * Finds the handler of each method, by its name or its name in the .proto file. Methods may be left out: they return
 * UNIMPLEMENTED.
 * @throws TypeError for what is not a function, for no handler at all, and for names that no method has: of an object all, of
 *   an instance of a class those that differ from a method's in case alone, since a class has other methods as well
 */
export function handlersOf(definition: Definition, handlers: unknown): Map<string, (...rest: never[]) => unknown> {
  const names = Object.keys(definition);
  const service = definition[names[0]!]!.path.split("/")[1] ?? "";
  if (typeof handlers !== "object" || handlers === null) throw new TypeError(`add: expected an object with handlers of ${service}, got ${described(handlers)}`);
  const given = handlers as Handlers;
  const found = new Map<string, (...rest: never[]) => unknown>();
  const known = new Set(names);
  for (const name of names) {
    const { originalName } = definition[name]!;
    if (originalName !== undefined) known.add(originalName);
    const handler = given[name] ?? (originalName === undefined ? undefined : given[originalName]);
    if (handler === undefined || handler === null) continue;
    if (typeof handler !== "function") throw new TypeError(`add: the handler of ${service}.${name} is a function, not ${described(handler)}`);
    found.set(name, handler as (...rest: never[]) => unknown);
  }
  const missing = names.filter((name) => !found.has(name));
  for (const name of functionsOf(given)) {
    if (known.has(name)) continue;
    const alike = missing.find((other) => other.toLowerCase() === name.toLowerCase());
    if (alike === undefined && !isPlain(given)) continue;
    throw new TypeError(`add: ${service} has no method ${name}; ${alike === undefined ? `its methods are ${names.join(", ")}` : `call the handler ${alike}`}`);
  }
  if (found.size === 0) throw new TypeError(`add: expected a handler of at least one method of ${service} (${names.join(", ")}), got ${described(handlers)} without any`);
  return found;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

/** Names of functions of an object and of its class, without running getters. */
function* functionsOf(value: object): Generator<string> {
  for (let holder: object | null = value; holder !== null && holder !== Object.prototype; holder = Object.getPrototypeOf(holder) as object | null) {
    for (const [name, { value: held }] of Object.entries<PropertyDescriptor>(Object.getOwnPropertyDescriptors(holder))) {
      if (typeof held === "function" && name !== "constructor") yield name;
    }
  }
}
