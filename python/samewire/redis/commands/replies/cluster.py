"""What a node tells of its cluster."""

from __future__ import annotations

from typing import Any

from .texts import all_named, flat, text


def info(reply: Any, **_: Any) -> dict[str, str]:
    """CLUSTER INFO: its fields as texts."""
    return dict(line.partition(":")[::2] for line in text(reply).splitlines() if line)


def nodes(reply: Any, **_: Any) -> dict[str, dict[str, Any]]:
    """CLUSTER NODES and REPLICAS: a dict for each node, by `host:port`."""
    lines = reply.splitlines() if isinstance(reply, (str, bytes)) else reply
    return dict(_node(text(line)) for line in lines)


def _node(line: str) -> tuple[str, dict[str, Any]]:
    number, address, flags, master, ping, pong, epoch, state, *ranges = line.split(" ")
    name, _, bus = address.partition("@")
    slots = []
    migrations = []
    for one in ranges:
        for arrow, what in (("->-", "migrating"), ("-<-", "importing")):
            if arrow in one:
                slot, _, node = one[1:-1].partition(arrow)
                migrations.append({"slot": slot, "node_id": node, "state": what})
                break
        else:
            slots.append(one.split("-"))
    return name, {
        "node_id": number,
        "hostname": bus.split(",")[1] if "," in bus else "",
        "flags": flags,
        "master_id": master,
        "last_ping_sent": ping,
        "last_pong_rcvd": pong,
        "epoch": epoch,
        "slots": slots,
        "migrations": migrations,
        "connected": state == "connected",
    }


def links(reply: Any, **_: Any) -> list[dict[Any, Any]] | None:
    """CLUSTER LINKS: a dict for each link."""
    return None if reply is None else all_named(reply)


def links_flat(reply: Any, **_: Any) -> list[Any] | None:
    """CLUSTER LINKS: names and values in turn for each link."""
    return None if reply is None else [flat(one) for one in reply]
