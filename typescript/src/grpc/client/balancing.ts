import type { Balancer, BalancerHost } from "./balancer.js";
import { OutlierDetection, type CountedEndpoint, type Guarded } from "./outlier-detection.js";
import { PickFirst } from "./pick-first.js";
import type { Policy } from "./policy.js";
import { RoundRobin } from "./round-robin.js";
import { WeightedRoundRobin } from "./weighted-round-robin.js";

/** Makes the balancer for one of our policies. @param random returns 0 up to 1, another one each time */
export function makeBalancer<E extends CountedEndpoint>(policy: Policy | null, host: BalancerHost, random: () => number): Balancer<E> {
  switch (policy?.name) {
    case "round_robin":
      return new RoundRobin<E>(host, random());
    case "weighted_round_robin":
      return new WeightedRoundRobin<E>(policy.options, host, random());
    case "outlier_detection":
      return new OutlierDetection<E>(policy.options, (own) => makeBalancer<Guarded<E>>(policy.child, own, random), host, random);
    default:
      return new PickFirst<E>(host);
  }
}
