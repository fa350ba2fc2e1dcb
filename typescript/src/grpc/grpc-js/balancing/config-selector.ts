import type { Metadata } from "../../protocol/metadata.js";
import type { Status } from "../../protocol/status.js";
import type { MethodConfig } from "../service-config.js";
import type { Filter, FilterFactory } from "./filters.js";

/** The attribute of a resolver's result that has a `ConfigSelector`. */
export const CHANNEL_ARGS_CONFIG_SELECTOR_KEY = "grpc.internal.config_selector";

/** The prefix of a resolver's attributes that subchannels do not get. */
export const SUBCHANNEL_ARGS_EXCLUDE_KEY_PREFIX = "grpc.internal.no_subchannel";

/** A resolver's configuration of one call (gRFC A31). */
export interface CallConfig {
  methodConfig: MethodConfig;
  onCommitted?: () => void;
  pickInformation: Record<string, string>;
  status: Status;
  dynamicFilterFactories: FilterFactory<Filter>[];
}

export interface ConfigSelector {
  invoke(methodName: string, metadata: Metadata, channelId: number): CallConfig;
  unref(): void;
}
