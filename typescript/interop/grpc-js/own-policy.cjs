// Load balancing policies of the program's own: one chooses a server by a call's metadata, one watches what `round_robin` below it picks,
// one drops calls. With them a resolver of its own, which tells the policy more than addresses.

const grpc = require("@grpc/grpc-js");
const { loadSync } = require("@grpc/proto-loader");

const { connectivityState, experimental, status } = grpc;
const { BaseSubchannelWrapper, ChildLoadBalancerHandler, LeafLoadBalancer, PickResultType, QueuePicker, UnavailablePicker, createChildChannelControlHelper } = experimental;
const { Notes } = grpc.loadPackageDefinition(loadSync(`${__dirname}/note.proto`)).notes;
const said = [];

/** A configuration of a policy, as its JSON has it. */
const configOf = (name) =>
  class {
    constructor(json) {
      this.json = json;
    }
    getLoadBalancerName() {
      return name;
    }
    toJsonObject() {
      return { [name]: this.json };
    }
    static createFromJson(json) {
      if (json.invalid) throw new Error("it is invalid");
      return new this(json);
    }
  };

/** Gives each call to the server whose number is in its metadata. */
class ByNumber {
  constructor(helper) {
    this.helper = helper;
    this.leaves = [];
  }
  updateAddressList(endpoints, config, options) {
    said.push(`list of ${endpoints.value.length}, attribute ${options.attribute}, option ${options["grpc.primary_user_agent"]}`);
    this.destroy();
    this.field = config.json.field;
    const helper = createChildChannelControlHelper(this.helper, { updateState: () => this.update() });
    this.leaves = endpoints.value.map((endpoint) => new LeafLoadBalancer(endpoint, helper, options, ""));
    for (const leaf of this.leaves) leaf.startConnecting();
    return true;
  }
  update() {
    const states = this.leaves.map((leaf) => leaf.getConnectivityState());
    if (!states.every((state) => state === connectivityState.READY)) return this.helper.updateState(connectivityState.CONNECTING, new QueuePicker(this), null);
    const pickers = this.leaves.map((leaf) => leaf.getPicker());
    const { field } = this;
    this.helper.updateState(connectivityState.READY, {
      pick(args) {
        const [number] = args.metadata.get(field);
        if (number === undefined) return { pickResultType: PickResultType.DROP, subchannel: null, status: { code: status.FAILED_PRECONDITION, details: `no ${field}`, metadata: new grpc.Metadata() }, onCallStarted: null, onCallEnded: null };
        if (pickers[number] === undefined) return new UnavailablePicker({ details: `no server ${number}` }).pick(args);
        const picked = pickers[number].pick(args);
        return { ...picked, onCallStarted: () => said.push(`started on ${number}`), onCallEnded: (code) => said.push(`ended with ${code}`) };
      },
    }, null);
  }
  exitIdle() {
    for (const leaf of this.leaves) leaf.exitIdle();
  }
  resetBackoff() {}
  destroy() {
    for (const leaf of this.leaves) leaf.destroy();
  }
  getTypeName() {
    return "by_number";
  }
}

/** A subchannel that knows its policy. */
class Counted extends BaseSubchannelWrapper {
  constructor(child, counts) {
    super(child);
    this.counts = counts;
  }
}

/** Counts how often its child picks each server. */
class Counting {
  constructor(helper) {
    const counts = (this.counts = new Map());
    this.child = new ChildLoadBalancerHandler(createChildChannelControlHelper(helper, {
      createSubchannel: (address, options) => new Counted(helper.createSubchannel(address, options), counts),
      updateState: (state, picker, message) => helper.updateState(state, {
        pick(args) {
          const picked = picker.pick(args);
          if (!(picked.subchannel instanceof Counted)) return picked;
          const address = picked.subchannel.getAddress();
          counts.set(address, (counts.get(address) ?? 0) + 1);
          return { ...picked, subchannel: picked.subchannel.child };
        },
      }, message),
    }));
    Counting.last = this;
  }
  updateAddressList(endpoints, config, options, note) {
    return this.child.updateAddressList(endpoints, experimental.selectLbConfigFromList([{ unknown: {} }, ...config.json.child]), options, note);
  }
  exitIdle() {
    this.child.exitIdle();
  }
  resetBackoff() {
    this.child.resetBackoff();
  }
  destroy() {
    this.child.destroy();
    said.push("the counting policy is destroyed");
  }
  getTypeName() {
    return "counting";
  }
}

experimental.registerLoadBalancerType("by_number", ByNumber, configOf("by_number"));
experimental.registerLoadBalancerType("counting", Counting, configOf("counting"));

class Listed {
  constructor(target, listener) {
    this.listener = listener;
    this.addresses = target.path.split(",").map((port) => ({ addresses: [{ host: "127.0.0.1", port: Number(port) }] }));
  }
  updateResolution() {
    process.nextTick(() => this.listener(experimental.statusOrFromValue(this.addresses), { attribute: "of the resolver" }, null, ""));
  }
  destroy() {}
  static getDefaultAuthority() {
    return "listed";
  }
}
experimental.registerResolver("listed", Listed);

function serve(name) {
  const server = new grpc.Server();
  server.addService(Notes.service, {
    Get: (call, callback) => (call.request.text === "refuse" ? callback({ code: status.NOT_FOUND, details: name }) : callback(null, { text: name })),
  });
  return new Promise((resolve, reject) => server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => (error ? reject(error) : resolve({ server, port }))));
}

const config = (policy) => ({ "grpc.service_config": JSON.stringify({ loadBalancingConfig: [policy] }), "grpc.primary_user_agent": "program" });

async function main() {
  console.log(experimental.isLoadBalancerNameRegistered("by_number"), experimental.isLoadBalancerNameRegistered("round_robin"), experimental.isLoadBalancerNameRegistered("unknown"));
  console.log(experimental.parseLoadBalancingConfig({ by_number: { field: "shard" } }).toJsonObject());
  for (const wrong of [{ by_number: { invalid: true } }, { unknown: {} }, { by_number: {}, round_robin: {} }]) {
    try {
      experimental.parseLoadBalancingConfig(wrong);
    } catch ({ message }) {
      console.log(message);
    }
  }
  const servers = await Promise.all(["zero", "one"].map(serve));
  const target = `listed:${servers.map(({ port }) => port).join(",")}`;
  const get = (client, shard, text = "x") => {
    const metadata = new grpc.Metadata();
    if (shard !== undefined) metadata.set("shard", shard);
    return new Promise((resolve) => client.Get({ text }, metadata, { deadline: Date.now() + 20_000 }, (error, note) => resolve(error ? `${error.code} ${error.details}` : note.text)));
  };
  const chosen = new Notes(target, grpc.credentials.createInsecure(), config({ by_number: { field: "shard" } }));
  console.log(await get(chosen, "1"), await get(chosen, "0"), await get(chosen, "1", "refuse"), await get(chosen, "7"), await get(chosen, undefined));
  chosen.close();
  const counted = new Notes(target, grpc.credentials.createInsecure(), config({ counting: { child: [{ round_robin: {} }] } }));
  // Both connections are there once both servers have answered.
  const heard = new Set();
  while (heard.size < 2) heard.add(await get(counted));
  Counting.last.counts.clear();
  for (let call = 0; call < 10; call += 1) await get(counted);
  console.log([...Counting.last.counts.values()]);
  counted.close();
  console.log(said.join("\n"));
  for (const { server } of servers) server.forceShutdown();
}

main();
