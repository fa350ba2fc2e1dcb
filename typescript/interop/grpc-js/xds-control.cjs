// A control plane for grpc-js-xds: an ADS server (state of the world), and one of load reports (LRS), over the protocol
// files inside that package.

const { dirname, join } = require("node:path");
const grpc = require("@grpc/grpc-js");
const { loadSync } = require("@grpc/proto-loader");

const PROTOS = join(dirname(require.resolve("@grpc/grpc-js-xds/package.json")), "deps");
const FILES = [
  "config/cluster/v3/cluster",
  "config/endpoint/v3/endpoint",
  "config/listener/v3/listener",
  "config/route/v3/route",
  "extensions/filters/http/fault/v3/fault",
  "extensions/filters/http/router/v3/router",
  "extensions/filters/network/http_connection_manager/v3/http_connection_manager",
  "service/discovery/v3/ads",
  "service/load_stats/v3/lrs",
];
const protocol = loadSync(
  FILES.map((file) => `envoy/${file}.proto`),
  { keepCase: true, enums: String, includeDirs: ["envoy-api", "xds", "googleapis", "protoc-gen-validate"].map((folder) => join(PROTOS, folder)) },
);

/** A message in `google.protobuf.Any`. */
const any = (type, message) => ({ type_url: `type.googleapis.com/${type}`, value: protocol[type].serialize(message) });
exports.any = any;

const LISTENER = "envoy.config.listener.v3.Listener";
const ROUTES = "envoy.config.route.v3.RouteConfiguration";
const CLUSTER = "envoy.config.cluster.v3.Cluster";
const ENDPOINTS = "envoy.config.endpoint.v3.ClusterLoadAssignment";
const FAULT = "envoy.extensions.filters.http.fault.v3.HTTPFault";
const ROUTER = "envoy.extensions.filters.http.router.v3.Router";
const MANAGER = "envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager";

exports.fault = (message) => ({ fault: any(FAULT, message) });

/** One server of resources, by type and name. A change goes to all clients that have asked for the type. */
exports.ControlPlane = class {
  #resources = new Map([LISTENER, ROUTES, CLUSTER, ENDPOINTS].map((type) => [type, new Map()]));
  /** By stream: the names that it has asked for, by type. */
  #streams = new Map();
  #version = 0;
  #server = new grpc.Server();
  /** The clients' load reports of each cluster: total, by locality and of dropped calls. */
  loads = {};

  /** @returns the bootstrap configuration of its clients */
  async start() {
    const { discovery, load_stats } = grpc.loadPackageDefinition(protocol).envoy.service;
    this.#server.addService(discovery.v3.AggregatedDiscoveryService.service, { StreamAggregatedResources: (stream) => this.#serve(stream) });
    this.#server.addService(load_stats.v3.LoadReportingService.service, { StreamLoadStats: (stream) => this.#count(stream) });
    const port = await new Promise((resolve, reject) =>
      this.#server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, bound) => (error ? reject(error) : resolve(bound))),
    );
    const server = { server_uri: `127.0.0.1:${port}`, channel_creds: [{ type: "insecure" }], server_features: ["xds_v3"] };
    return JSON.stringify({
      xds_servers: [server],
      node: { id: "program", locality: { region: "here" } },
      server_listener_resource_name_template: "server/%s",
    });
  }

  stop() {
    this.#server.forceShutdown();
  }

  /** A listener of that name, whose routes are those of the same name. Its calls pass a filter that injects no faults unless a route says so. */
  listen(name) {
    const manager = {
      rds: { route_config_name: name, config_source: { ads: {} } },
      http_filters: [{ name: "fault", typed_config: any(FAULT, {}) }, { name: "router", typed_config: any(ROUTER, {}) }],
    };
    this.#set(LISTENER, name, { name, api_listener: { api_listener: any(MANAGER, manager) } });
  }

  /** A listener of a server on that port, whose routes are those of `routes`. */
  serveAt(port, routes) {
    const manager = { rds: { route_config_name: routes, config_source: { ads: {} } }, http_filters: [{ name: "router", typed_config: any(ROUTER, {}) }] };
    const name = `server/127.0.0.1:${port}`;
    const address = { socket_address: { address: "127.0.0.1", port_value: port } };
    this.#set(LISTENER, name, { name, address, default_filter_chain: { filters: [{ name: "manager", typed_config: any(MANAGER, manager) }] } });
  }

  route(name, routes) {
    this.#set(ROUTES, name, { name, virtual_hosts: [{ name, domains: ["*"], routes }] });
  }

  cluster(name, settings = {}) {
    this.#set(CLUSTER, name, { name, type: "EDS", eds_cluster_config: { eds_config: { ads: {} } }, lb_policy: "ROUND_ROBIN", ...settings });
  }

  /** @param ports those of the cluster's servers on this machine */
  endpoints(name, ports) {
    const address = (port) => ({ socket_address: { address: "127.0.0.1", port_value: port } });
    const lb_endpoints = ports.map((port) => ({ health_status: "HEALTHY", endpoint: { address: address(port) } }));
    const locality = { region: "here", zone: "one", sub_zone: "" };
    this.#set(ENDPOINTS, name, { cluster_name: name, endpoints: [{ locality, lb_endpoints, load_balancing_weight: { value: 1 } }] });
  }

  #set(type, name, resource) {
    this.#resources.get(type).set(name, any(type, resource));
    this.#version += 1;
    for (const [stream, asked] of this.#streams) if (asked.get(type)?.includes(name)) this.#send(stream, type, asked.get(type));
  }

  #count(stream) {
    stream.write({ send_all_clusters: true, load_reporting_interval: { seconds: 0, nanos: 5e7 } });
    stream.on("data", ({ cluster_stats = [] }) => {
      for (const { cluster_name, upstream_locality_stats = [], total_dropped_requests = 0 } of cluster_stats) {
        const load = (this.loads[cluster_name] ??= { dropped: 0 });
        load.dropped += Number(total_dropped_requests);
        for (const { locality, total_issued_requests = 0, total_successful_requests = 0, total_error_requests = 0 } of upstream_locality_stats) {
          const sums = (load[locality.zone] ??= { issued: 0, succeeded: 0, failed: 0 });
          sums.issued += Number(total_issued_requests);
          sums.succeeded += Number(total_successful_requests);
          sums.failed += Number(total_error_requests);
        }
      }
    });
    stream.on("error", () => undefined);
    stream.on("end", () => stream.end());
  }

  #serve(stream) {
    const asked = new Map();
    this.#streams.set(stream, asked);
    stream.on("data", ({ type_url, resource_names, error_detail }) => {
      if (error_detail) console.log("refused:", error_detail.message);
      const type = type_url.slice(type_url.lastIndexOf("/") + 1);
      const names = [...resource_names].sort();
      // The acknowledgement of what was sent asks for the same names once more.
      if (asked.get(type)?.join() === names.join()) return;
      asked.set(type, names);
      this.#send(stream, type, names);
    });
    const over = () => this.#streams.delete(stream);
    stream.on("error", over);
    stream.on("cancelled", over);
    stream.on("end", () => stream.end());
  }

  #send(stream, type, names) {
    const known = this.#resources.get(type);
    const resources = names.filter((name) => known.has(name)).map((name) => known.get(name));
    const version = String(this.#version);
    stream.write({ version_info: version, nonce: version, type_url: `type.googleapis.com/${type}`, resources });
  }
};
