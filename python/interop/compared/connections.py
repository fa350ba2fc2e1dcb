"""Connections: URLs, pools, options, credentials, retries, errors, TLS's keywords."""

import os
import threading

import redis
from redis.backoff import ConstantBackoff, ExponentialBackoff, NoBackoff, default_backoff
from redis.connection import Connection, ConnectionPool, SSLConnection, UnixDomainSocketConnection, parse_url
from redis.retry import Retry

URL = os.environ["REDIS_URL"]
parse_url("redis://user:p%40ss@host:1234/5?socket_timeout=1.5&retry_on_timeout=yes&decode_responses=True")
parse_url("unix:///tmp/redis.sock?db=3")
parse_url("rediss://host")["connection_class"].__name__
parse_url("redis://localhost?socket_timeout=abc")
redis.from_url("localhost:6379")
redis.Redis.from_url("redis://").connection_pool.connection_kwargs.get("host", "localhost")
pool = ConnectionPool.from_url(URL, max_connections=2)
a, b = pool.get_connection(), pool.get_connection()
pool.get_connection()
pool.release(a)
pool.get_connection() is a
pool.disconnect()
pool.release(a), pool.release(b)
pool.max_connections, pool.connection_class.__name__, sorted(set(pool.connection_kwargs) & {"host", "port", "db"})
c = Connection(host="127.0.0.1", port=pool.connection_kwargs["port"])
c._sock
c.connect()
c._sock is not None, c.is_connected if hasattr(c, "is_connected") else True
c.send_command("SET", "raw", "value")
c.read_response()
c.send_command("GET", "raw")
c.can_read(timeout=30)
c.read_response()
c.send_packed_command(c.pack_command("INCR", "raw"))
c.read_response()
c.send_command("NOSUCH")
c.read_response()
c.pack_command("SET", "k", "é", 1, 1.5, b"\xff")
c.pack_commands([("GET", "a"), ("GET", "b")])
c.repr_pieces()[0][0]
seen = []
c.register_connect_callback(lambda connection: seen.append(type(connection).__name__))
c.disconnect()
c._sock
c.connect()
seen
c.disconnect()
blocking = redis.BlockingConnectionPool.from_url(URL, max_connections=1, timeout=0.05)
one = blocking.get_connection()
blocking.get_connection()
blocking.timeout = 30
threading.Timer(0.02, lambda: blocking.release(one)).start()
blocking.get_connection() is one
# clients
r = redis.Redis(connection_pool=pool)
r.ping()
r.connection is None
s = redis.Redis.from_url(URL, single_connection_client=True)
s.client_setname("single")
s.client_getname()
s.connection is not None
s.close()
with redis.Redis.from_url(URL) as w:
    answer = w.ping()
answer
redis.Redis.from_url(URL, client_name="named").client_getname()
redis.Redis.from_url(URL, db=3).client_info()["db"]
redis.Redis.from_url(URL.replace("/0", "/4"), db=3).client_info()["db"]
redis.Redis.from_url(URL + "?decode_responses=true").set("x", "y"), redis.Redis.from_url(URL + "?decode_responses=true").get("x")
sorted(set(redis.Redis.from_url(URL).client_info()) & {"lib-name", "lib-ver"})
redis.Redis.from_url(URL, lib_name="mylib", lib_version="1.2").client_info()["lib-name"]
redis.Redis.from_url(URL, protocol=2).client_info()["resp"]
redis.Redis.from_url(URL, protocol=3).client_info()["resp"]
redis.Redis.from_url(URL, protocol=4)
redis.Redis.from_url(URL, encoding="latin-1").set("latin", "é")
r.get("latin")
redis.Redis.from_url(URL, decode_responses=True).get("latin")
redis.Redis.from_url(URL, decode_responses=True, encoding_errors="replace").get("latin")
redis.Redis(nonsense=1)
redis.Redis.from_url(URL, nonsense=1).ping()
# errors
redis.Redis(port=1, retry=Retry(NoBackoff(), 0)).ping()
redis.Redis(unix_socket_path="/nonexistent/redis.sock", retry=Retry(NoBackoff(), 0)).ping()
redis.Redis(host="nosuchhost.invalid", retry=Retry(NoBackoff(), 0), socket_connect_timeout=2).ping()
redis.Redis.from_url(URL, password="wrong").ping()
redis.Redis.from_url(URL, username="who", password="wrong").ping()
redis.Redis.from_url(URL.replace("/0", "/99")).ping()
r.acl_setuser("reader", enabled=True, passwords=["+secret"], commands=["+get", "+@connection"], keys=["*"])
u = redis.Redis.from_url(URL, username="reader", password="secret")
u.get("x")
u.set("x", "y")
redis.Redis.from_url(URL.replace("//", "//reader:secret@")).acl_whoami()
redis.Redis.from_url(URL, credential_provider=redis.UsernamePasswordCredentialProvider("reader", "secret")).get("x")
r.config_set("requirepass", "needed")
redis.Redis.from_url(URL).ping()
redis.Redis.from_url(URL, password="needed").config_set("requirepass", "")
r.execute_command("DEBUG", "SLEEP", 0)
r.blpop("x")
r.execute_command("AUTH")
str(redis.ResponseError("x")), repr(redis.ResponseError("x")), redis.ResponseError("x").args
[base.__name__ for base in redis.TimeoutError.__mro__][:2], [base.__name__ for base in redis.BusyLoadingError.__mro__][:3]
# retries
tries = []
retry = Retry(ConstantBackoff(0), 3)
retry.call_with_retry(lambda: tries.append(1) or (_ for _ in ()).throw(redis.ConnectionError("no")), lambda error: None)
len(tries)
retry.update_supported_errors([ValueError])
retry.get_retries() if hasattr(retry, "get_retries") else 3
ExponentialBackoff(cap=1, base=0.1).compute(3)
type(default_backoff()).__name__
SSLConnection(ssl_cert_reqs="none").cert_reqs
SSLConnection(ssl_cert_reqs="nonsense")
redis.Redis(ssl=True, ssl_ca_certs="/nonexistent").connection_pool.connection_class.__name__
UnixDomainSocketConnection(path="/x").path
