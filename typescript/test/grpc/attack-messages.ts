import { channelzCodec, channelzDescriptor, METHODS } from "../../src/grpc/channelz/messages.js";
import { chooseConfig, configText } from "../../src/grpc/client/config-choice.js";
import { healthDescriptor, healthService } from "../../src/grpc/health/health-messages.js";
import { decodeLoadReport, encodeLoadReport } from "../../src/grpc/orca/load-report.js";
import { orcaDescriptors, orcaService } from "../../src/grpc/orca/orca-messages.js";
import { frameMessage } from "../../src/grpc/protocol/message-frame.js";
import { MessageReader } from "../../src/grpc/protocol/message-reader.js";
import { KeyFilter, Metadata } from "../../src/grpc/protocol/metadata.js";
import { percentDecode, percentEncode } from "../../src/grpc/protocol/percent.js";
import { ProtobufError } from "../../src/grpc/protocol/protobuf.js";
import { decodeStatusDetails, encodeStatusDetails } from "../../src/grpc/protocol/status-details.js";
import { parseTarget } from "../../src/grpc/protocol/target.js";
import { parseTimeout } from "../../src/grpc/protocol/timeout.js";
import { readDescriptorFile } from "../../src/grpc/reflection/descriptor-file.js";
import { withMapEntryNames } from "../../src/grpc/reflection/map-entries.js";
import { decodeReflectionRequest } from "../../src/grpc/reflection/reflection-messages.js";
import type { Random } from "../pack/corpus.js";
import { mutate } from "../pack/corpus.js";

/** Something of gRPC's that reads protobuf, and a message that it takes. */
interface Reader {
  readonly name: string;
  readonly good: Uint8Array;
  readonly read: (bytes: Buffer) => unknown;
}

const channelzTypes = METHODS.flatMap((name) => [`.grpc.channelz.v1.${name}Request`, `.grpc.channelz.v1.${name}Response`]);
const socket = { socket: { ref: { socket_id: 7, name: "127.0.0.1:1" }, data: { streams_started: 3 }, local: { tcpip_address: { ip_address: Buffer.from([127, 0, 0, 1]), port: 1 } } } };

const readers: readonly Reader[] = [
  { name: "status details", good: encodeStatusDetails({ code: 3, message: "no", details: [{ typeUrl: "a/b", value: Uint8Array.of(1, 2) }] }), read: decodeStatusDetails },
  { name: "load report", good: encodeLoadReport({ qps: 1, utilization: new Map([["disk", 0.5]]), namedMetrics: new Map([["", 0]]) }), read: (bytes) => encodeLoadReport(decodeLoadReport(bytes)) },
  { name: "load report request", good: orcaService.StreamCoreMetrics.requestSerialize({ reportInterval: 1_500 }), read: orcaService.StreamCoreMetrics.requestDeserialize },
  { name: "health request", good: Buffer.from([0x0a, 1, 0x61]), read: healthService.Check.requestDeserialize },
  { name: "health list", good: healthService.List.responseSerialize({ statuses: { a: { status: "SERVING" } } }), read: healthService.List.responseDeserialize },
  { name: "reflection request", good: Buffer.from([0x0a, 1, 0x68, 0x2a, 5, 0x0a, 1, 0x61, 0x10, 7]), read: decodeReflectionRequest },
  ...[healthDescriptor, channelzDescriptor(), ...orcaDescriptors()].map((good): Reader => ({ name: "descriptor", good, read: (bytes) => readDescriptorFile(withMapEntryNames(bytes)) })),
  ...channelzTypes.map((type): Reader => ({ name: type, good: channelzCodec.encode(".grpc.channelz.v1.GetSocketResponse", socket), read: (bytes) => channelzCodec.decode(type, bytes) })),
];

function protobuf(random: Random): { what: string; run: () => void } {
  const { name, good, read } = random.pick(readers);
  const bytes = Buffer.from(mutate(random, good, random.pick(readers).good));
  return {
    what: `${name} ${bytes.toString("hex")}`,
    run: () => {
      try {
        read(bytes);
      } catch (error) {
        if (!(error instanceof ProtobufError)) throw error;
      }
    },
  };
}

/** Whole and in pieces the same messages come out, or the same fault. */
function framing(random: Random): { what: string; run: () => void } {
  const frames = Array.from({ length: 1 + random.below(6) }, () => frameMessage(Buffer.alloc(random.below(random.pick([4, 300, 9_000])), 1), random.below(4) === 0));
  const bytes = mutate(random, Buffer.concat(frames), frameMessage(Buffer.from("other"), false));
  const step = 1 + random.below(random.pick([5, 3_000]));
  const told = (size: number): string => {
    const messages: string[] = [];
    const reader = new MessageReader(8_192);
    const sink = {
      onMessage(room: Uint8Array, from: number, to: number, compressed: boolean): boolean {
        messages.push(`${Buffer.from(room.subarray(from, to)).toString("hex")} ${String(compressed)}`);
        return true;
      },
    };
    let reading = 0;
    for (let at = 0; at < bytes.length; at += size) {
      const lent = bytes.slice(at, at + size);
      reading = reader.read(lent, 0, lent.length, sink);
      lent.fill(0xaa);
    }
    return `${messages.join()} ${reading} ${reader.announced} ${String(reader.atBoundary || reading !== 0)}`;
  };
  return {
    what: `messages ${Buffer.from(bytes).toString("hex")}`,
    run: () => {
      const [whole, pieces] = [told(bytes.length), told(step)];
      if (whole !== pieces) throw new Error(`whole: ${whole}, in pieces of ${step}: ${pieces}`);
    },
  };
}

const CHOICES = 'grpc_config=[{"clientLanguage":["node"],"percentage":50,"serviceConfig":{"loadBalancingConfig":[{"round_robin":{}}],"methodConfig":[{"name":[{"service":"a","method":"b"}],"timeout":"1.5s","retryPolicy":{"maxAttempts":3,"initialBackoff":"0.1s","maxBackoff":"1s","backoffMultiplier":2,"retryableStatusCodes":["UNAVAILABLE",13]}}],"retryThrottling":{"maxTokens":10,"tokenRatio":0.1}}}]';
const TEXTS = [CHOICES, "dns://8.8.8.8:53/example.com:1", "ipv6:[::1]:5,[fe80::1%eth0]:6", "unix:///tmp/a.sock", "%E4%BD%A0 100%25 %", "99999999H", "QUJD,QUI=, QQ"];

/** Texts of the wire and of configurations: a value or a plain Error, and what can be written again is the same. */
function texts(random: Random): { what: string; run: () => void } {
  const text = Buffer.from(mutate(random, Buffer.from(random.pick(TEXTS)), Buffer.from(random.pick(TEXTS)))).toString("latin1");
  const refusable = (read: () => unknown): void => {
    try {
      read();
    } catch (error) {
      if (!(error instanceof Error) || error instanceof TypeError || error instanceof RangeError) throw error;
    }
  };
  return {
    what: `text ${JSON.stringify(text)}`,
    run: () => {
      const decoded = percentDecode(text);
      if (percentDecode(percentEncode(decoded)) !== decoded) throw new Error(`percent: ${decoded}`);
      if (parseTimeout(text) < -1) throw new Error("a timeout below nothing");
      refusable(() => parseTarget(text));
      refusable(() => chooseConfig(configText([[text]]) ?? text, { hostname: "here", percentage: 10 }));
      const block = { names: ["a", "b-bin", text.toLowerCase()], values: [text, text, text] };
      const metadata = Metadata.fromBlock(block, new KeyFilter([]).positions(block));
      const flat: string[] = [];
      metadata.clone().appendFields(flat);
      if (flat.some((part) => /[^ -~]/.test(part))) throw new Error(`metadata: ${flat.join()}`);
    },
  };
}

/** One attack on what reads the messages and texts of gRPC itself. */
export function attackMessages(random: Random): { what: string; run: () => void } {
  return random.pick([protobuf, protobuf, framing, texts])(random);
}
