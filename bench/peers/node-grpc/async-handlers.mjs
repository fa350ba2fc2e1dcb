/** The echo service as async functions and async generators: for libraries that take them, whatever names they give methods. */
export const handlers = {
  Echo: async (request) => request,
  EchoBlob: async (request) => request,
  async *EchoServerStream({ value, value2 }) {
    for (let sent = 1; sent <= value2; sent++) yield { value, value2: sent };
  },
  async EchoClientStream(requests) {
    let last;
    for await (const request of requests) last = request;
    return last;
  },
  async *EchoBidiStream(requests) {
    yield* requests;
  },
};
