"""What the lab can measure here, what is missing, and how to get it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass

from bench.lab import machine
from bench.lab.languages import LANGUAGES, CannotRun, Language, built, offered, version
from bench.lab.words import gist, plural


@dataclass(frozen=True)
class Finding:
    """One property that was checked. fine: nothing to do. advice: what to do otherwise. stops: a language cannot run because of it."""

    what: str
    found: str
    fine: bool
    advice: str = ""
    stops: bool = False


def examine(languages: Sequence[Language] = LANGUAGES) -> list[Finding]:
    """Machine first, then every language with its peers. Builds what is not built."""
    return [*_machine(), *(finding for language in languages for finding in _language(language))]


def _machine() -> list[Finding]:
    about = machine.describe()
    load, noise, step = machine.load(), machine.noise(), machine.resolution()
    quiet = load < machine.BUSY_LOAD
    governor = about["governor"]
    return [
        Finding(
            "machine",
            f"{about['cpu']}, {about['cores']} cores, {about['kernel']}",
            (os.cpu_count() or 1) > 1,
            "one core: expect noise",
        ),
        Finding("governor", governor, governor in ("performance", "not told"), "cpupower frequency-set -g performance"),
        Finding("load", f"{load:.2f}", quiet, "something else is running: ratios stand, times do not"),
        Finding("steadiness", f"{noise:.1%} spread of equal work", noise < machine.NOISY, "a shared or hot machine: use --full"),
        Finding("clock", f"{step:.0f} ns between readings", step < 1_000, "a slow clock source"),
    ]


def _language(language: Language) -> list[Finding]:
    tools = [_tool(language, name, get) for name, get in language.tools]
    try:
        text = version(language)
        found = offered(built(language))
    except CannotRun as why:
        return [Finding(language.title, gist(str(why)), False, f"get {language.need}; then make bench", stops=True), *tools]
    present = [name for name, peer in found.peers.items() if not peer.missing]
    harness = f", {found.harness}" if found.harness else ""
    missing = [
        Finding(
            f"{language.title}: {name}",
            gist(peer.missing),
            False,
            "make bench installs what is pinned; its file in bench/peers tells what it needs",
        )
        for name, peer in found.peers.items()
        if peer.missing
    ]
    return [
        Finding(language.title, f"{text}{harness}; {plural(len(present), 'peer')}: {', '.join(present)}", True),
        *missing,
        *tools,
    ]


def _tool(language: Language, name: str, get: str) -> Finding:
    path = shutil.which(name)
    return Finding(f"{language.title}: {name}", path or "not here", path is not None, get)
