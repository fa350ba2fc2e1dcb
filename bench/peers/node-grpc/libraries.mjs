// Libraries with grpc-js's names, by the name of their rows.

export const libraries = {
  samewire: () => import("../../../typescript/dist/src/grpc/index.js"),
  "grpc-js": async () => (await import("@grpc/grpc-js")).default,
};

/** The message of every load; its frame is `FRAME` in load.mjs. */
export const MESSAGE = { value: "abc", value2: 1 };
