// grpc-js-xds: its resolver and policies, which are registered with the library.

const { experimental } = require("@grpc/grpc-js");
const xds = require("@grpc/grpc-js-xds");

const policies = ["cds", "priority", "ring_hash", "weighted_target", "xds_cluster_impl", "xds_cluster_manager", "xds_wrr_locality"];
console.log(policies.filter(experimental.isLoadBalancerNameRegistered));
xds.register();
console.log(Object.keys(xds).sort(), policies.filter(experimental.isLoadBalancerNameRegistered));
const config = { ring_hash: { min_ring_size: 2, max_ring_size: 8 } };
console.log(JSON.stringify(experimental.parseLoadBalancingConfig(config).toJsonObject()));
