import { codec, type Codec, type Infer, type Type } from "../../pack/index.js";
import { buffer, method, type AnyMethod, type SchemaCheck, type TypedMethod } from "./definition.js";

/** Calls whose messages are pack values have this content type. */
export const PACK_CONTENT_TYPE = "application/grpc+pack";

/** Metadata of the first request of a method: the digests of both schemas, in hexadecimal. */
const REQUEST_DIGEST = "pack-request-digest";
const RESPONSE_DIGEST = "pack-response-digest";

/** A method by the pack types of its messages. */
export interface PackMethod {
  readonly request: Type;
  readonly response: Type;
  readonly requestStream?: boolean;
  readonly responseStream?: boolean;
}

/** The methods of a pack service, with their types. */
export type PackService<M extends Readonly<Record<string, PackMethod>>> = {
  readonly [Name in keyof M]: TypedMethod<
    Infer<M[Name]["request"]>,
    Infer<M[Name]["response"]>,
    M[Name]["requestStream"] extends true ? true : false,
    M[Name]["responseStream"] extends true ? true : false
  >;
};

/**
 * A service whose messages are pack values: `packService("books.Shelf", { Get: { request: pack.string, response: Book }
 * })`.
 */
export function packService<M extends Readonly<Record<string, PackMethod>>>(name: string, methods: M): PackService<M> {
  const service: Record<string, AnyMethod> = {};
  for (const [methodName, { request, response, requestStream = false, responseStream = false }] of Object.entries(methods)) {
    // The calls' metadata says which schemas their messages are of.
    const questions = codec<Type>(request, { check: false });
    const answers = codec<Type>(response, { check: false });
    service[methodName] = {
      ...method(`/${name}/${methodName}`, { request: requestStream, response: responseStream }, serializers(questions), serializers(answers)),
      contentType: PACK_CONTENT_TYPE,
      schemaCheck: schemaCheck(questions, answers),
    };
  }
  return service as PackService<M>;
}

function serializers(codec: Codec<unknown>) {
  return {
    serialize: (value: unknown) => buffer(codec.encode(value)),
    deserialize: (bytes: Buffer) => codec.decode(bytes),
  };
}

/** Both sides must have the same schema: a pack message does not describe itself. */
function schemaCheck(questions: Codec<unknown>, answers: Codec<unknown>): SchemaCheck {
  const request = questions.schema.digest;
  const response = answers.schema.digest;
  return {
    fields: [
      [REQUEST_DIGEST, request],
      [RESPONSE_DIGEST, response],
    ],
    refuse(value) {
      const theirs = [value(REQUEST_DIGEST) ?? request, value(RESPONSE_DIGEST) ?? response];
      if (theirs[0] !== request) return `schema_mismatch: the caller sends ${theirs[0]}, expected is ${request} (${questions.schema.text})`;
      if (theirs[1] !== response) return `schema_mismatch: the caller expects ${theirs[1]}, sent is ${response} (${answers.schema.text})`;
      return null;
    },
  };
}
