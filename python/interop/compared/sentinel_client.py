"""A service that sentinels watch: discovery, masters, replicas, asyncio."""

import os

import redis.asyncio.sentinel as asentinel
import redis.sentinel
from redis.backoff import NoBackoff
from redis.retry import Retry
from redis.sentinel import MasterNotFoundError, Sentinel, SlaveNotFoundError

service, *addresses = os.environ["SENTINELS"].split()
addresses = [("127.0.0.1", int(port)) for port in addresses]
s = Sentinel(addresses, socket_timeout=1)
s.master_for(service).flushall()
once = Retry(NoBackoff(), 0)
s.discover_master(service)
len(s.discover_slaves(service))
s.discover_master("nosuch")
s.discover_slaves("nosuch")
master = s.master_for(service, socket_timeout=1, decode_responses=True)
replica = s.slave_for(service, socket_timeout=1, decode_responses=True)
master.set("foo", "bar"), master.get("foo")
master.wait(1, 1000)
replica.get("foo")
replica.set("foo", "x")
type(master.connection_pool).__name__, master.connection_pool.is_master, replica.connection_pool.is_master
master.pipeline().set("a", 1).incr("a").execute()
s.sentinel_master("nosuch")
Sentinel([("127.0.0.1", 1)], socket_timeout=0.2).discover_master(service)
s.master_for("nosuch", retry=once).ping()
s.slave_for("nosuch", retry=once).ping()
Sentinel([("127.0.0.1", 1), *addresses], socket_timeout=1).discover_master(service)[0]
issubclass(MasterNotFoundError, redis.ConnectionError), issubclass(SlaveNotFoundError, redis.ConnectionError)
master.close()
a = asentinel.Sentinel(addresses, socket_timeout=1)
(await a.discover_master(service))[0]
len(await a.discover_slaves(service))
await a.discover_master("nosuch")
amaster = a.master_for(service, decode_responses=True)
await amaster.set("foo", "async"), await amaster.get("foo")
await amaster.pipeline().incr("a").incr("a").execute()
areplica = a.slave_for(service, decode_responses=True)
await areplica.get("nothing")
await areplica.set("foo", "x")
await amaster.aclose(), await areplica.aclose()
