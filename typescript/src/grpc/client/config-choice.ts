import { object } from "./method-config.js";
import { parseServiceConfig, type ServiceConfig } from "./service-config.js";

/** The client's properties that a choice may depend on (gRFC A2). */
export interface Chooser {
  readonly hostname: string;
  /** The client's own random number, 0 up to 100, so that a share of all clients takes a choice. */
  readonly percentage: number;
}

const LANGUAGE = "node";
const MARK = "grpc_config=";

/** The text of the first TXT record that holds service configurations; null without one. */
export function configText(records: readonly (readonly string[])[]): string | null {
  const record = records.find(([first]) => first?.startsWith(MARK) === true);
  return record === undefined ? null : record.join("").slice(MARK.length);
}

/**
 * The first configuration of the list that is meant for this client.
 *
 * @throws Error for a text that is not such a list, for an invalid configuration, and if no choice fits
 */
export function chooseConfig(text: string, { hostname, percentage }: Chooser): ServiceConfig {
  const choices: unknown = JSON.parse(text);
  if (!Array.isArray(choices)) throw new Error("Invalid service config list: an array is expected");
  for (const each of choices) {
    const { clientLanguage, clientHostname, percentage: share, serviceConfig } = object(each, "Invalid service config choice: an object is expected");
    if (!includes(clientLanguage, LANGUAGE, "clientLanguage") || !includes(clientHostname, hostname, "clientHostname")) continue;
    if (share !== undefined && !(typeof share === "number" && share >= 0 && share <= 100)) throw new Error("Invalid service config choice: percentage must be from 0 to 100");
    if (share === undefined || percentage < share) return parseServiceConfig(serviceConfig);
  }
  throw new Error("No matching service config found");
}

/** A missing list fits every client. */
function includes(list: unknown, name: string, field: string): boolean {
  if (list === undefined) return true;
  if (!Array.isArray(list)) throw new Error(`Invalid service config choice: ${field} must be an array`);
  return list.includes(name);
}
