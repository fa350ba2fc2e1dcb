"""Commands of sentinels as methods, for blocking and asyncio callers: what they return is what `execute_command` does."""

from __future__ import annotations

from types import GenericAlias
from typing import Any

from ..executes import Executes


class SentinelCommands:
    """Commands of sentinels. `return_responses` returns what each sentinel said, not whether all agree."""

    __class_getitem__ = classmethod(GenericAlias)

    def sentinel(self: Executes, *args: Any) -> Any:
        """SENTINEL with any arguments."""
        return self.execute_command("SENTINEL", *args)

    def sentinel_get_master_addr_by_name(self: Executes, service_name: str, return_responses: bool = False) -> Any:
        """The address of a service's master as (host, port); None if there is no such service."""
        return self.execute_command(
            "SENTINEL GET-MASTER-ADDR-BY-NAME", service_name, once=True, return_responses=return_responses
        )

    def sentinel_master(self: Executes, service_name: str, return_responses: bool = False) -> Any:
        """What the sentinel knows of a service's master."""
        return self.execute_command("SENTINEL MASTER", service_name, return_responses=return_responses)

    def sentinel_masters(self: Executes) -> Any:
        """What the sentinel knows of all masters, by the names of their services."""
        return self.execute_command("SENTINEL MASTERS")

    def sentinel_monitor(self: Executes, name: str, ip: str, port: int, quorum: int) -> Any:
        """Adds a master that the sentinel watches."""
        return self.execute_command("SENTINEL MONITOR", name, ip, port, quorum)

    def sentinel_remove(self: Executes, name: str) -> Any:
        """Removes a master from those that the sentinel watches."""
        return self.execute_command("SENTINEL REMOVE", name)

    def sentinel_sentinels(self: Executes, service_name: str, return_responses: bool = False) -> Any:
        """The other sentinels that watch a service."""
        return self.execute_command("SENTINEL SENTINELS", service_name, return_responses=return_responses)

    def sentinel_set(self: Executes, name: str, option: str, value: Any) -> Any:
        """Changes how a master is watched."""
        return self.execute_command("SENTINEL SET", name, option, value)

    def sentinel_slaves(self: Executes, service_name: str) -> Any:
        """The replicas of a service."""
        return self.execute_command("SENTINEL SLAVES", service_name)

    sentinel_replicas = sentinel_slaves

    def sentinel_reset(self: Executes, pattern: str) -> Any:
        """Resets what the sentinel knows of the masters whose names match a glob; it finds it out again."""
        return self.execute_command("SENTINEL RESET", pattern, once=True)

    def sentinel_failover(self: Executes, new_master_name: str) -> Any:
        """Starts a failover of a master now, without the agreement of other sentinels."""
        return self.execute_command("SENTINEL FAILOVER", new_master_name)

    def sentinel_ckquorum(self: Executes, new_master_name: str) -> Any:
        """Whether enough sentinels are there to replace a master."""
        return self.execute_command("SENTINEL CKQUORUM", new_master_name, once=True)

    def sentinel_flushconfig(self: Executes) -> Any:
        """Writes the sentinel's configuration to its disk."""
        return self.execute_command("SENTINEL FLUSHCONFIG")


# Their types differ, in the stub: for a sentinel, for all of a `Sentinel`, and in a pipeline.
AsyncSentinelCommands = PipelineSentinelCommands = SentinelCommands
SentinelsCommands = AsyncSentinelsCommands = SentinelCommands
