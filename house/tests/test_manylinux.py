"""A wheel's platform tag says the oldest glibc that has all that its library needs."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from house.manylinux import NotPortable, tag, tag_of

HEADERS = "Dynamic Section:\n  NEEDED               libgcc_s.so.1\n  NEEDED               libc.so.6\n  NEEDED               ld-linux-x86-64.so.2\n"
SYMBOLS = (
    "0000000000000000      DF *UND*\t0000000000000000 (GLIBC_2.2.5) malloc\n"
    "0000000000000000      DF *UND*\t0000000000000000 (GLIBC_2.9) pipe2\n"
    "0000000000000000      DF *UND*\t0000000000000000 (GLIBC_2.34) dlopen\n"
    "0000000000000000      DF *UND*\t0000000000000000 (GCC_4.2.0) _Unwind_GetIP\n"
)


def test_the_newest_symbol_decides() -> None:
    assert tag_of(HEADERS, SYMBOLS, "x86_64") == "manylinux_2_34_x86_64"
    assert tag_of(HEADERS, SYMBOLS.replace("2.34", "2.8"), "aarch64") == "manylinux_2_9_aarch64"


def test_a_library_that_a_distribution_may_lack_is_named() -> None:
    with pytest.raises(NotPortable, match=r"libzstd\.so\.1"):
        tag_of(HEADERS + "  NEEDED               libzstd.so.1\n", SYMBOLS, "x86_64")


def test_another_libc_is_refused() -> None:
    with pytest.raises(NotPortable, match="another libc"):
        tag_of(HEADERS, "0000000000000000      DF *UND*\t0000000000000000 malloc\n", "x86_64")


def test_a_library_of_this_system_has_a_tag(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("#include <stdlib.h>\nvoid *made(void) { return malloc(1); }\n")
    library = tmp_path / "a.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", str(library), str(tmp_path / "a.c")], check=True)
    assert re.fullmatch(r"manylinux_2_\d+_x86_64", tag(library, "x86_64"))
