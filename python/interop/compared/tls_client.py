"""TLS: certificates checked or not, client certificates, URLs, asyncio."""

import os
import ssl
import tempfile
from pathlib import Path

import redis
import redis.asyncio as aredis
from redis.asyncio.retry import Retry as AsyncRetry
from redis.backoff import NoBackoff
from redis.retry import Retry
from tls_servers import certificate, tls

folder = tempfile.TemporaryDirectory()
pair = certificate(Path(folder.name))
ca, key = map(str, pair)
upstream = int(os.environ["REDIS_URL"].rsplit(":", 1)[1].split("/")[0])
plain, mutual = tls(upstream, pair), tls(upstream, pair, pair[0])
port, strict = plain.__enter__(), mutual.__enter__()
once = {"retry": Retry(NoBackoff(), 0)}
r = redis.Redis(host="localhost", port=port, ssl=True, ssl_ca_certs=ca)
r.ping()
r.set("big", "x" * 1_000_000), len(r.get("big"))
r.pipeline().set("a", 1).incr("a").execute()
type(r.connection_pool.get_connection()).__name__
redis.Redis.from_url(f"rediss://localhost:{port}", ssl_ca_certs=ca).get("a")
redis.Redis.from_url(f"rediss://localhost:{port}?ssl_ca_certs={ca}", decode_responses=True).get("a")
redis.Redis.from_url(f"rediss://localhost:{port}?ssl_cert_reqs=none").get("a")
redis.Redis(host="localhost", port=port, ssl=True, ssl_cert_reqs="none", ssl_check_hostname=False).get("a")
redis.Redis(host="localhost", port=port, ssl=True, ssl_cert_reqs=ssl.CERT_NONE, ssl_check_hostname=False).get("a")
redis.Redis(host="localhost", port=port, ssl=True, ssl_ca_data=Path(ca).read_text()).get("a")
redis.Redis(host="127.0.0.1", port=port, ssl=True, ssl_ca_certs=ca, ssl_check_hostname=True).get("a")
redis.Redis(host="localhost", port=port, ssl=True, ssl_ca_certs=ca, ssl_min_version=ssl.TLSVersion.TLSv1_3).get("a")
type(redis.Redis(host="localhost", port=port, ssl=True, **once).ping)
redis.Redis(host="localhost", port=strict, ssl=True, ssl_ca_certs=ca, ssl_certfile=ca, ssl_keyfile=key).get("a")
p = redis.Redis(host="localhost", port=port, ssl=True, ssl_ca_certs=ca, decode_responses=True).pubsub()
p.subscribe("news")
p.get_message(timeout=30)
r.publish("news", "x")
p.get_message(timeout=30)
p.close()
a = aredis.Redis(host="localhost", port=port, ssl=True, ssl_ca_certs=ca, decode_responses=True)
await a.get("a")
len(await a.get("big"))
await a.aclose()
b = aredis.from_url(f"rediss://localhost:{port}?ssl_cert_reqs=none")
await b.get("a")
await b.aclose()
try:
    redis.Redis(host="localhost", port=port, ssl=True, **once).ping()
except redis.ConnectionError as error:
    refused = "CERTIFICATE_VERIFY_FAILED" in str(error)
refused
try:
    await aredis.Redis(host="localhost", port=port, ssl=True, retry=AsyncRetry(NoBackoff(), 0)).ping()
except redis.ConnectionError as error:
    refused = "CERTIFICATE_VERIFY_FAILED" in str(error)
refused
plain.__exit__(None, None, None), mutual.__exit__(None, None, None)
