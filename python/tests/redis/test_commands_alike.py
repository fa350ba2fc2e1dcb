"""The same calls on redis-py and on our client, on a real server: the same replies, of the same types."""

from __future__ import annotations

import asyncio
import datetime
import warnings
from typing import Any

import pytest
import redis
from samewire.redis.aio.client import Client as AsyncClient
from samewire.redis.client import Client
from samewire.redis.commands.choices import DataPersistOptions, HashDataPersistOptions

#: Names that calls use.
NAMES = {"datetime": datetime, "DataPersistOptions": DataPersistOptions, "HashDataPersistOptions": HashDataPersistOptions}

CALLS = {
    "strings": """
set('a', 'value')
set('a', 1.5, nx=True)
set('a', 'other', get=True)
set('new', 'x', get=True, ex=100)
set('a', b'\\xff\\x00', xx=True, keepttl=True)
get('missing')
get('new')
set('a', 'Hello')
append('a', ' World')
getrange('a', 0, 4)
substr('a', 0, 4)
setrange('a', 6, 'Redis')
strlen('a')
getex('a', ex=10)
getex('a', persist=True)
getset('a', 'b')
getdel('a')
getdel('a')
incr('n')
incr('n', 5)
decr('n', 2)
incrby('n', 10)
decrby('n', 3)
incrbyfloat('n', 1.25)
mset({'x': 1, 'y': 'two'})
msetnx({'x': 1, 'z': 3})
msetnx({'z1': 1, 'z2': 3})
mget('x', 'y', 'missing')
mget(['x'], 'y')
mget([])
setex('e', 10, 'v')
psetex('e', datetime.timedelta(seconds=3), 'v')
setnx('e', 'w')
setnx('f', 'w')
set('s1', 'ohmytext')
set('s2', 'mynewtext')
lcs('s1', 's2')
lcs('s1', 's2', len=True)
lcs('s1', 's2', idx=True, minmatchlen=3, withmatchlen=True)
lcs('s1', 's2', idx=True)
incr('s1')
""",
    "keys": """
set('a', '1')
copy('a', 'b')
copy('a', 'b')
copy('a', 'b', replace=True)
exists('a', 'b', 'c', 'a')
touch('a', 'c')
type('a')
type('none')
expire('a', 100)
expire('a', 200, nx=True)
expire('a', datetime.timedelta(seconds=300), gt=True)
expire('missing', 5)
expireat('a', datetime.datetime(2033, 1, 1))
expiretime('a')
pexpireat('a', 1988150400000)
pexpiretime('a')
pexpire('a', 900000)
persist('a')
persist('a')
ttl('a')
ttl('missing')
pttl('a')
rename('a', 'c')
renamenx('c', 'b')
renamenx('c', 'd')
rename('missing', 'x')
randomkey() is None
object('encoding', 'b')
object('refcount', 'b')
object('idletime', 'b')
move('b', 5)
delete('b', 'c', 'd')
unlink('b', 'c')
set('x', 'v')
keys()
keys('y*')
dump('x')
restore('x2', 0, self.dump('x'))
restore('x2', 0, self.dump('x'))
get('x2')
scan()
scan(match='zz*')
list: sorted(self.scan_iter(count=1))
rpush('l', 3, 1, 2)
sort('l')
sort('l', desc=True, start=0, num=2)
sort('l', store='sorted')
mset({'w_1': 5, 'w_2': 9, 'w_3': 1})
sort('l', by='w_*')
sort('l', get=['#', 'w_*'])
sort('l', get=['#', 'w_*'], groups=True)
sort('l', get='w_*')
sort_ro('l')
wait(0, 10)
""",
    "hashes": """
hset('h', 'a', 1)
hset('h', mapping={'a': 2, 'b': 3.5})
hset('h', items=['c', 'd', 'e', 'f'])
hget('h', 'a')
hget('h', 'zz')
hgetall('h')
hgetall('missing')
hexists('h', 'a')
hexists('h', 'zz')
hincrby('h', 'a', 4)
hincrbyfloat('h', 'b', 0.25)
hkeys('h')
hvals('h')
hlen('h')
hmget('h', 'a', 'zz')
hmget('h', ['a', 'b'])
hmset('h', {'m': 1})
hsetnx('h', 'm', 2)
hsetnx('h', 'm2', 2)
hstrlen('h', 'a')
hdel('h', 'm', 'zz')
hset('one', 'f', 'v')
hrandfield('one')
hrandfield('one', 2)
hrandfield('one', 2, withvalues=True)
hrandfield('missing')
hscan('one')
hscan('one', no_values=True)
hscan('missing')
list: self.hscan_iter('h')
list: self.hscan_iter('h', no_values=True)
hsetex('x', 'f', 'v', ex=100)
hsetex('x', mapping={'g': 1}, data_persist_option=HashDataPersistOptions.FXX)
hgetex('x', 'f', 'zz', persist=True)
hexpire('x', 100, 'f', 'zz')
hpexpire('x', 200000, 'f', gt=True)
hexpireat('x', 2000000000, 'f')
hpexpireat('x', 2000000000000, 'f')
hexpiretime('x', 'f', 'zz')
hpexpiretime('x', 'f')
hpersist('x', 'f', 'zz')
httl('x', 'f')
hpttl('x', 'f')
hgetdel('x', 'f', 'zz')
hget('not a hash', 'x')
""",
    "lists": """
rpush('l', 'a', 'b', 'c', 'b')
lpush('l', 1)
lpushx('l', 0)
rpushx('missing', 0)
lrange('l', 0, -1)
lrange('missing', 0, -1)
lindex('l', 1)
lindex('l', 99)
linsert('l', 'before', 'a', 'x')
llen('l')
lset('l', 0, 'z')
lset('l', 99, 'z')
lrem('l', 1, 'b')
ltrim('l', 0, 4)
lpos('l', 'a')
lpos('l', 'zz')
lpos('l', 'a', count=0)
lpos('l', 'a', rank=1, maxlen=10)
lmove('l', 'm')
lmove('missing', 'm')
blmove('l', 'm', 1)
rpoplpush('l', 'm')
brpoplpush('l', 'm', 1)
lpop('m')
lpop('m', 2)
lpop('missing')
lpop('missing', 2)
rpop('m')
rpush('l', 1, 2, 3, 4)
rpop('l', 2)
blpop('l', 1)
blpop(['missing', 'l'], 1)
brpop(['missing', 'l'], 1)
blpop('missing', 0.01)
rpush('l', 1, 2, 3, 4)
lmpop(2, 'missing', 'l', direction='LEFT', count=2)
lmpop(1, 'missing', direction='LEFT')
blmpop(1, 2, 'missing', 'l', direction='RIGHT', count=1)
blmpop(0.01, 1, 'missing', direction='RIGHT')
brpoplpush('missing', 'm', 0.01)
""",
    "sets": """
sadd('s', 'a', 'b', 'c')
sadd('s', 'a')
sadd('t', 'b', 'd')
scard('s')
smembers('s')
smembers('missing')
sismember('s', 'a')
sismember('s', 'zz')
smismember('s', 'a', 'zz')
smismember('s', ['a', 'zz'])
sdiff('s', 't')
sinter(['s', 't'])
sunion(['s'], 't')
sdiffstore('d', 's', 't')
sinterstore('d', ['s', 't'])
sunionstore('d', ['s', 't'])
sintercard(2, ['s', 't'])
sintercard(2, ['s', 't'], limit=1)
smove('s', 't', 'c')
smove('s', 't', 'c')
srem('t', 'c', 'zz')
sadd('one', 'x')
srandmember('one')
srandmember('one', 2)
srandmember('missing')
srandmember('missing', 2)
spop('one')
spop('one')
sadd('one', 'x')
spop('one', 2)
spop('one', 2)
sadd('one', 'x')
sscan('one')
list: self.sscan_iter('one', count=5)
""",
    "sorted sets": """
zadd('z', {'a': 1, 'b': 2.5, 'c': 'inf'})
zadd('z', {'a': 5}, nx=True)
zadd('z', {'a': 2}, incr=True)
zadd('z', {'missing': 2}, incr=True, xx=True)
zadd('z', {'a': 9, 'd': 4}, ch=True)
zadd('z', {'a': 3}, lt=True, ch=True)
zcard('z')
zcount('z', '-inf', '(4')
zincrby('z', 1.5, 'd')
zscore('z', 'd')
zscore('z', 'zz')
zscore('z', 'c')
zmscore('z', ['a', 'zz'])
zrange('z', 0, -1)
zrange('z', 0, -1, desc=True)
zrange('z', 0, -1, withscores=True)
zrange('z', 0, -1, desc=True, withscores=True)
zrange('z', 0, -1, withscores=True, score_cast_func=str)
zrange('z', 0, -1, withscores=True, score_cast_func=lambda score: round(float(score)) if float(score) < 100 else 0)
zrange('z', '-inf', '+inf', byscore=True, offset=0, num=2)
zrange('z', '-', '+', bylex=True)
zrangestore('y', 'z', 0, 1)
zrevrange('z', 0, -1)
zrevrange('z', 0, 1, withscores=True)
zrangebyscore('z', '-inf', 4)
zrangebyscore('z', '-inf', 'inf', start=0, num=2, withscores=True)
zrangebyscore('z', '-inf', 'inf', withscores=True, score_cast_func=str)
zrevrangebyscore('z', 'inf', '-inf', withscores=True)
zrangebylex('z', '-', '+')
zrevrangebylex('z', '+', '-', 0, 1)
zlexcount('z', '-', '+')
zrank('z', 'b')
zrank('z', 'zz')
zrank('z', 'b', withscore=True)
zrank('z', 'zz', withscore=True)
zrank('z', 'b', withscore=True, score_cast_func=str)
zrevrank('z', 'b')
zrevrank('z', 'b', withscore=True)
zadd('w', {'a': 10, 'x': 3})
zdiff(['z', 'w'])
zdiff(['z', 'w'], withscores=True)
zdiffstore('d', ['z', 'w'])
zinter(['z', 'w'])
zinter(['z', 'w'], aggregate='MAX', withscores=True)
zinter({'z': 2, 'w': 3}, withscores=True)
zinterstore('d', ['z', 'w'], 'MIN')
zintercard(2, ['z', 'w'])
zunion(['z', 'w'])
zunion(['z', 'w'], withscores=True)
zunion({'z': 1, 'w': 2}, aggregate='SUM', withscores=True, score_cast_func=str)
zunionstore('d', {'z': 1, 'w': 2})
zadd('one', {'x': 1.5})
zrandmember('one')
zrandmember('one', 2)
zrandmember('one', 2, withscores=True)
zrandmember('missing')
zscan('one')
zscan('one', score_cast_func=str)
list: self.zscan_iter('one')
zpopmax('z')
zpopmin('z', 2)
zpopmin('missing')
zadd('z', {'a': 1, 'b': 2})
bzpopmax('z', 1)
bzpopmin(['missing', 'z'], 1)
bzpopmin('missing', 0.01)
zadd('z', {'a': 1, 'b': 2, 'c': 3, 'd': 4})
zmpop(2, ['missing', 'z'], min=True, count=1)
zmpop(1, ['missing'], max=True)
bzmpop(1, 2, ['missing', 'z'], max=True)
bzmpop(0.01, 1, ['missing'], max=True)
zrem('z', 'b', 'zz')
zremrangebyrank('w', 0, 0)
zremrangebyscore('w', 0, 100)
zremrangebylex('y', '-', '+')
""",
    "streams": """
xadd('s', {'a': 1, 'b': 'two'}, id='1-1')
xadd('s', {'c': 3}, id='1-2')
xadd('s', {'d': 4}, id='2-0', maxlen=100, approximate=False)
xadd('missing', {'d': 4}, nomkstream=True)
xadd('s', {'d': 4}, id='1-0')
xlen('s')
xrange('s')
xrange('s', '1-2', '+', 1)
xrange('missing')
xrevrange('s', count=2)
xread({'s': '0'})
xread({'s': '1-1', 'missing': 0}, count=1)
xread({'s': '$'})
xread({'s': '$'}, block=10)
xgroup_create('s', 'g', id='0')
xgroup_create('s', 'g', id='0')
xgroup_create('new', 'g', mkstream=True)
xgroup_createconsumer('s', 'g', 'c')
xreadgroup('g', 'c', {'s': '>'}, count=2)
xreadgroup('g', 'c', {'s': '0'})
xreadgroup('g', 'c', {'new': '>'})
xpending('s', 'g')
xpending('new', 'g')
xpending_range('new', 'g', '-', '+', 10)
xack('s', 'g', '1-1')
xclaim('s', 'g', 'd', 0, ['1-2'])
xclaim('s', 'g', 'd', 0, ['1-2'], justid=True)
xautoclaim('s', 'g', 'e', 0)
xautoclaim('s', 'g', 'e', 0, justid=True)
xinfo_groups('s')
xinfo_stream('new')
xgroup_setid('s', 'g', '0')
xgroup_delconsumer('s', 'g', 'c')
xgroup_destroy('s', 'g')
xdel('s', '1-1', '9-9')
xtrim('s', maxlen=1, approximate=False)
""",
    "geo": """
geoadd('g', (13.361389, 38.115556, 'Palermo', 15.087269, 37.502669, 'Catania'))
geoadd('g', (13.361389, 38.115556, 'Palermo'), ch=True)
geodist('g', 'Palermo', 'Catania')
geodist('g', 'Palermo', 'Catania', unit='km')
geodist('g', 'Palermo', 'zz')
geohash('g', 'Palermo', 'zz')
geopos('g', 'Palermo', 'zz')
georadius('g', 15, 37, 200, unit='km')
georadius('g', 15, 37, 200, unit='km', withdist=True, withcoord=True, withhash=True, sort='ASC')
georadius('g', 15, 37, 200, unit='km', store='d')
georadiusbymember('g', 'Palermo', 200, unit='km', count=1, withdist=True)
geosearch('g', longitude=15, latitude=37, radius=200, unit='km', sort='DESC')
geosearch('g', member='Palermo', width=400, height=400, unit='km', withdist=True, withcoord=True)
geosearchstore('d', 'g', member='Palermo', radius=500, unit='km')
""",
    "scripts": """
eval('return 1', 0)
eval('return KEYS[1] .. ARGV[1]', 1, 'k', 'v')
eval('return {1, "a", {2.9}, false}', 0)
eval('return redis.error_reply("no")', 0)
eval_ro('return redis.call("GET", KEYS[1])', 1, 'k')
script_load('return 5')
evalsha('4ca238f611c9d0ae4e9a75a5dbac22aedc1e44f2', 0)
evalsha('0000000000000000000000000000000000000000', 0)
script_exists('0000000000000000000000000000000000000000', 'f')
script_flush()
function_load('#!lua name=lib\\nredis.register_function{function_name="f", callback=function(k, a) return a[1] end, flags={"no-writes"}}', True)
fcall('f', 0, 'x')
fcall_ro('f', 0, 'x')
function_list()
function_list('lib', withcode=True)
function_stats()
function_delete('lib')
function_flush()
""",
    "server": """
ping()
echo('text')
config_set('hash-max-listpack-entries', 99)
config_get('hash-max-listpack-entries')
config_get('hash-max-listpack-entries', 'hz')
config_resetstat()
dbsize()
client_setname('me')
client_getname()
client_no_evict('ON')
client_no_touch('OFF')
client_trackinginfo()
client_unpause()
client_getredir()
client_kill_filter(_id=999999)
client_unblock(999999)
command_getkeys('SET', 'a', 'b')
command_getkeysandflags('SET', 'a', 'b')
command_count()
lolwut(1) is None
memory_usage('missing')
module_list()
role()
slowlog_reset()
slowlog_get()
slowlog_len()
swapdb(0, 0)
acl_whoami()
acl_users()
acl_cat('bitmap')
acl_setuser('u', enabled=True, passwords=['+p'], commands=['+get'], keys=['k*'])
acl_getuser('u')
acl_getuser('zz')
acl_list()
acl_log_reset()
acl_log()
acl_dryrun('u', 'set', 'k', 'v')
acl_deluser('u')
latency_latest()
latency_history('command')
latency_reset()
""",
    "the rest": """
setbit('b', 7, True)
getbit('b', 7)
bitcount('b')
bitcount('b', 0, -1, 'BIT')
bitpos('b', 1)
bitpos('b', 0, 0, -1, 'BIT')
bitop('NOT', 'c', 'b')
list: self.bitfield('bf').set('u8', 0, 255).incrby('u8', 0, 1, 'FAIL').get('u8', '#0').execute()
bitfield_ro('bf', 'u8', 0, [('u4', 4)])
pfadd('p', 'a', 'b')
pfadd('p', 'a')
pfcount('p')
pfmerge('q', 'p')
publish('channel', 'message')
spublish('channel', 'message')
pubsub_channels()
pubsub_shardchannels()
pubsub_numpat()
pubsub_numsub('a', 'b')
pubsub_shardnumsub('a')
mset({'m1': 1})
list: [self['m1'], 'm1' in self, 'zz' in self]
""",
}


def plain(value: Any) -> Any:
    """A reply in a form that compares types, too."""
    if isinstance(value, Exception):
        return "error", type(value).__name__, str(value)
    if isinstance(value, dict):
        return "dict", sorted((repr(plain(key)), repr(plain(item))) for key, item in value.items())
    if isinstance(value, (set, frozenset)):
        return "set", sorted(repr(plain(item)) for item in value)
    if isinstance(value, (list, tuple)):
        return type(value).__name__, [plain(item) for item in value]
    return type(value).__name__, value


def replies(client: Any, lines: list[str]) -> list[Any]:
    """What each call returns or raises."""
    found = []
    client.execute_command("FLUSHALL")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for line in lines:
            source = f"list({line[6:]})" if line.startswith("list: ") else f"self.{line}"
            try:
                found.append(eval(source, {**NAMES, "self": client}))
            except Exception as failed:
                found.append(failed)
    return found


@pytest.mark.parametrize("options", [{}, {"decode_responses": True}, {"protocol": 2}, {"protocol": 3}], ids=repr)
@pytest.mark.parametrize("group", CALLS)
def test_replies_as_redis_py_does(port: int, group: str, options: dict[str, Any]) -> None:
    lines = CALLS[group].strip().splitlines()
    ours: Client[Any]
    with redis.Redis(port=port, **options) as theirs, Client(port=port, **options) as ours:
        expected = replies(theirs, lines)
        for line, found, wanted in zip(lines, replies(ours, lines), expected, strict=True):
            assert plain(found) == plain(wanted), line


async def awaited(client: AsyncClient[Any], lines: list[str]) -> list[Any]:
    """The replies to lines of commands from an asyncio client, errors as exceptions."""
    found = []
    await client.execute_command("FLUSHALL")
    for line in lines:
        # An argument that is a call itself is awaited, too.
        source = line.replace("self.dump(", "await self.dump(")
        if line.startswith("list: "):
            source = f"[item async for item in {line[6:]}]" if "_iter(" in line else f"list(await {line[6:]})"
        else:
            source = f"await self.{source}" if " is None" not in line else f"(await self.{line[:-8]}) is None"
        scope = {**NAMES, "self": client}
        exec(f"async def call():\n    return {source}", scope)
        try:
            found.append(await scope["call"]())  # type: ignore[operator]
        except Exception as failed:
            found.append(failed)
    return found


@pytest.mark.parametrize("options", [{}, {"decode_responses": True, "protocol": 3}], ids=repr)
@pytest.mark.parametrize("group", CALLS)
def test_replies_alike_in_asyncio(port: int, group: str, options: dict[str, Any]) -> None:
    lines = [line for line in CALLS[group].strip().splitlines() if "sorted(" not in line and "[self" not in line]

    async def found() -> list[Any]:
        client: AsyncClient[Any]
        async with AsyncClient(port=port, **options) as client:
            return await awaited(client, lines)

    with redis.Redis(port=port, **options) as theirs, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = replies(theirs, lines)
        came = asyncio.run(found())
    for line, reply, wanted in zip(lines, came, expected, strict=True):
        assert plain(reply) == plain(wanted), line


@pytest.mark.parametrize("transaction", [False, True])
@pytest.mark.parametrize("group", CALLS)
def test_replies_alike_in_pipelines(port: int, group: str, transaction: bool) -> None:
    lines = [line for line in CALLS[group].strip().splitlines() if not line.startswith("list: ") and "self." not in line]
    found = []
    clients: list[Any] = [redis.Redis(port=port), Client(port=port)]
    for client in clients:
        with client, client.pipeline(transaction=transaction) as pipeline, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            client.execute_command("FLUSHALL")
            for line in lines:
                if " is None" not in line:
                    eval(f"self.{line}", {**NAMES, "self": pipeline})
            found.append([plain(reply) for reply in pipeline.execute(raise_on_error=False)])
    # A pipeline's errors say which command was meant, each client in its own words.
    theirs, ours = ([reply[:2] if reply[0] == "error" else reply for reply in replies] for replies in found)
    assert ours == theirs
