import type { CallSelector, Selection } from "../client/call-selector.js";
import { controlPlaneStatus } from "../client/control-plane-status.js";
import { parseMethodConfig, type MethodConfig } from "../client/method-config.js";
import { Status } from "../protocol/status.js";
import type { CallConfig, ConfigSelector } from "./balancing/config-selector.js";
import type { MethodConfig as MethodConfigJson } from "./service-config.js";

/** A resolver's `ConfigSelector`, as a channel asks it. @param channel the channel's number in channelz */
export function callSelector(selector: ConfigSelector, channel: number): CallSelector {
  /** One route's calls share an object. */
  const parsed = new WeakMap<MethodConfigJson, MethodConfig>();
  const parse = (json: MethodConfigJson): MethodConfig => {
    const config = parsed.get(json) ?? parseMethodConfig({ ...json });
    parsed.set(json, config);
    return config;
  };
  return {
    select: (path, metadata) => selection(selector.invoke(path, metadata, channel), path, parse),
    release: () => {
      selector.unref();
    },
  };
}

function selection(call: CallConfig, path: string, parse: (json: MethodConfigJson) => MethodConfig): Selection {
  const { status, methodConfig, pickInformation, dynamicFilterFactories, onCommitted } = call;
  const code = status === Status.OK ? status : controlPlaneStatus(status);
  const details = `Failed to route call to method ${path}`;
  const filters = dynamicFilterFactories.map((factory) => factory.createFilter());
  return {
    code,
    details: code === status ? details : `Invalid status from control plane: ${status} ${Status[status]} ${details}`,
    config: parse(methodConfig),
    pickInformation,
    metadata: filters.length === 0 ? null : (metadata) => filters.reduce((passed, filter) => filter.sendMetadata(passed), Promise.resolve(metadata)),
    committed: onCommitted ?? null,
  };
}
