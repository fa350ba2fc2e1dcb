import { CallCredentials } from "./call-credentials.js";
import { ChannelCredentials } from "./channel-credentials.js";

/** grpc-js's `credentials`. */
export const credentials = {
  /** Channel credentials that carry these call credentials too. */
  combineChannelCredentials(channel: ChannelCredentials, ...calls: CallCredentials[]): ChannelCredentials {
    return calls.reduce((all, call) => all.compose(call), channel);
  },
  combineCallCredentials(first: CallCredentials, ...additional: CallCredentials[]): CallCredentials {
    return additional.reduce((all, call) => all.compose(call), first);
  },
  createInsecure: ChannelCredentials.createInsecure.bind(ChannelCredentials),
  createSsl: ChannelCredentials.createSsl.bind(ChannelCredentials),
  createFromSecureContext: ChannelCredentials.createFromSecureContext.bind(ChannelCredentials),
  createFromMetadataGenerator: CallCredentials.createFromMetadataGenerator.bind(CallCredentials),
  createFromGoogleCredential: CallCredentials.createFromGoogleCredential.bind(CallCredentials),
  createEmpty: CallCredentials.createEmpty.bind(CallCredentials),
};
