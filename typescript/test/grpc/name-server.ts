import { createSocket } from "node:dgram";
import { once } from "node:events";
import type { TestContext } from "node:test";

/** The records of a name. */
export interface Records {
  A?: string[];
  TXT?: string[];
}

const A = 1;
const TXT = 16;
const NAME_ERROR = 3;
const LONGEST_PART = 255;

/** A name server for tests. `asked`: the questions so far, like `TXT service.test`. */
export interface NameServer {
  /** `host:port` of it. */
  readonly address: string;
  readonly names: Map<string, Records>;
  readonly asked: string[];
}

function parts(text: string): Buffer {
  const bytes = Buffer.from(text);
  const cut: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += LONGEST_PART) {
    const part = bytes.subarray(at, at + LONGEST_PART);
    cut.push(Buffer.from([part.length]), part);
  }
  return Buffer.concat(cut);
}

function record(type: number, data: Buffer): Buffer {
  // The name: a pointer to that of the question (RFC 1035 section 4.1.4); class IN, no time to live.
  const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, 0]);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

/** Answers over UDP (RFC 1035), with what is in `names` when the question comes, until the test ends. */
export async function startNameServer(context: TestContext): Promise<NameServer> {
  const names = new Map<string, Records>();
  const asked: string[] = [];
  const socket = createSocket("udp4");
  socket.on("message", (question, { port, address }) => {
    const labels: string[] = [];
    let at = 12;
    for (let length = question[at]!; length > 0; length = question[at]!) {
      labels.push(question.toString("latin1", at + 1, at + 1 + length));
      at += 1 + length;
    }
    const type = question.readUInt16BE(at + 1);
    const name = labels.join(".");
    asked.push(`${type === TXT ? "TXT" : type === A ? "A" : "AAAA"} ${name}`);
    const found = names.get(name);
    const answers =
      type === A ? (found?.A ?? []).map((host) => record(A, Buffer.from(host.split(".").map(Number)))) : type === TXT ? (found?.TXT ?? []).map((text) => record(TXT, parts(text))) : [];
    const head = Buffer.from([question[0]!, question[1]!, 0x81, found === undefined ? 0x80 | NAME_ERROR : 0x80, 0, 1, 0, answers.length, 0, 0, 0, 0]);
    socket.send(Buffer.concat([head, question.subarray(12, at + 5), ...answers]), port, address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  context.after(() => { socket.close(); });
  return { address: `127.0.0.1:${socket.address().port}`, names, asked };
}
