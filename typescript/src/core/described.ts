import { isArrayItself, isDateItself } from "./realm.js";

const MOST_TEXT = 40;
const TYPED = [
  Int8Array, Int16Array, Int32Array, BigInt64Array, Uint8Array, Uint8ClampedArray, Uint16Array, Uint32Array, BigUint64Array, Float32Array, Float64Array,
];

/** A value for the text of an error, "a Float64Array of 3": short, and without running its getters or methods. */
export function described(value: unknown): string {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value.length > MOST_TEXT ? `${value.slice(0, MOST_TEXT)}…` : value);
    case "bigint":
      return BigInt.asIntN(128, value) === value ? `${value.toString()}n` : "a large bigint";
    case "object":
      return value === null ? "null" : object(value);
    case "function": {
      const name = ownText(value, "name");
      return name === "" ? "a function" : `the function ${name}`;
    }
    case "symbol":
      return "a symbol";
    default:
      return String(value);
  }
}

function object(value: object): string {
  if (Array.isArray(value)) return `an array of ${value.length}`;
  const typed = TYPED.find((made) => isArrayItself(made, value));
  if (typed !== undefined) return `${withArticle(typed.name)} of ${(value as Uint8Array).length}`;
  if (isDateItself(value)) {
    const milliseconds = Date.prototype.getTime.call(value);
    return Number.isNaN(milliseconds) ? "an invalid Date" : `the Date ${new Date(milliseconds).toISOString()}`;
  }
  const prototype = Object.getPrototypeOf(value) as object | null;
  const made: unknown = prototype === null ? undefined : Object.getOwnPropertyDescriptor(prototype, "constructor")?.value;
  const name = typeof made === "function" ? ownText(made, "name") : "";
  return name === "" || name === "Object" ? "an object" : withArticle(name);
}

/** An own property that is text, shortened; empty for accessors and all else. */
function ownText(value: object, name: string): string {
  const text: unknown = Object.getOwnPropertyDescriptor(value, name)?.value;
  return typeof text === "string" ? text.slice(0, MOST_TEXT) : "";
}

function withArticle(name: string): string {
  return `${/^[AEIO]/i.test(name) ? "an" : "a"} ${name}`;
}
