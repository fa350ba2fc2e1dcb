"""Makes `import redis` find samewire's client in every process whose sys.path has this package's parent folder first."""

from samewire.redis.redis_py.as_redis import install_as_redis

install_as_redis()
