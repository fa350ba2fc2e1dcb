import { channelzDescriptor } from "../channelz/messages.js";
import { healthDescriptor } from "../health/health-messages.js";
import type { ServiceHost } from "../health/health.js";
import { orcaDescriptors } from "../orca/orca-messages.js";
import { encodeFileDescriptor } from "../protocol/descriptor-writer.js";
import type { PackageDefinition } from "../protocol/method.js";
import { Status } from "../protocol/status.js";
import { DURATION_FILE, TIMESTAMP_FILE, WRAPPERS_FILE } from "../protocol/well-known.js";
import type { ServerDuplexStream } from "../server/handler.js";
import { DescriptorIndex } from "./descriptor-index.js";
import { REFLECTION_PACKAGES, reflectionDescriptor, reflectionService } from "./reflection-messages.js";
import type { Answer, Question, ReflectionRequest, ReflectionResponse } from "./reflection-messages.js";

export interface ReflectionOptions {
  /**
   * Full names of the services that are listed; all of the definition without it. Files of the others can still be
   * asked for.
   */
  readonly services?: readonly string[];
}

/**
 * The services `grpc.reflection.v1.ServerReflection` and `grpc.reflection.v1alpha.ServerReflection`:
 * `new ReflectionService(definition).addToServer(server)`, under the names of the package `@grpc/reflection`.
 */
export class ReflectionService {
  readonly #index = new DescriptorIndex();
  readonly #listed: readonly string[];

  /**
   * @param definition a definition of proto-loader, whose files are served
   * @throws ProtobufError for invalid descriptors
   */
  constructor(definition: PackageDefinition, options: ReflectionOptions = {}) {
    this.#index.addPackage(definition);
    this.#listed = this.#index.services.filter((name) => options.services?.includes(name) ?? true);
    for (const name of REFLECTION_PACKAGES) this.#index.add(reflectionDescriptor(name));
    for (const file of [healthDescriptor, channelzDescriptor(), ...orcaDescriptors()]) this.#index.add(file);
    for (const file of [TIMESTAMP_FILE, DURATION_FILE, WRAPPERS_FILE]) this.#index.add(encodeFileDescriptor(file));
  }

  addToServer(server: ServiceHost): void {
    for (const name of REFLECTION_PACKAGES) {
      server.addService(reflectionService(name), {
        ServerReflectionInfo: (call: ServerDuplexStream<ReflectionRequest, ReflectionResponse>) => {
          call.on("data", (request) => {
            // A client that sends requests without reading waits, so that its responses do not pile up.
            if (call.write({ request, answer: this.answer(request.question) })) return;
            call.pause();
            call.once("drain", () => call.resume());
          });
          call.on("end", () => call.end());
        },
      });
    }
  }

  /** Returns the response to one request. */
  answer(question: Question): Answer {
    switch (question.kind) {
      case "file":
        return files(this.#index.byName(question.name), `File not found: ${question.name}`);
      case "symbol":
        return files(this.#index.bySymbol(question.name), `Symbol not found: ${question.name}`);
      case "extension":
        return files(this.#index.byExtension(question.type, question.number), `Extension not found: ${question.type} ${question.number}`);
      case "extensions": {
        const numbers = this.#index.extensionNumbers(question.type);
        return numbers === null
          ? { kind: "error", code: Status.NOT_FOUND, text: `Type not found: ${question.type}` }
          : { kind: "extensions", type: question.type, numbers };
      }
      case "services":
        return { kind: "services", names: [...this.#listed, ...REFLECTION_PACKAGES.map((name) => `${name}.ServerReflection`)].sort() };
      case "none":
        return { kind: "error", code: Status.INVALID_ARGUMENT, text: "The request asks for nothing that is known" };
    }
  }
}

function files(found: Uint8Array[] | null, text: string): Answer {
  return found === null ? { kind: "error", code: Status.NOT_FOUND, text } : { kind: "files", files: found };
}
