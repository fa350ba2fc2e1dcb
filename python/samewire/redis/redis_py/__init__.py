"""redis-py's names and nothing else: what is needed where samewire.redis is installed as `redis`."""
