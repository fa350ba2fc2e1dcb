"""Import statements."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module

import pytest
from samewire import bridge


def test_packages_and_classes_are_imported(gateway: bridge.Gateway) -> None:
    with gateway.importable("gateway"):
        import gateway.java.util as util  # type: ignore[import-not-found]
        from gateway.java.util import ArrayList, HashMap

        assert ArrayList is util.ArrayList
        assert HashMap().isEmpty()
        from gateway.java.util.concurrent import TimeUnit  # type: ignore[import-not-found]

        assert TimeUnit.SECONDS.toMillis(2) == 2000
    assert "gateway" not in sys.modules
    assert "gateway.java.util" not in sys.modules


def test_what_is_not_there_is_an_import_error(gateway: bridge.Gateway) -> None:
    with gateway.importable("jvm_of_tests"):
        text = r"cannot import name 'ArrayLst' from 'jvm_of_tests\.java\.util': no such class .*; did you mean ArrayList"
        with pytest.raises(ImportError, match=text) as caught:
            from jvm_of_tests.java.util import ArrayLst  # type: ignore[import-not-found]  # noqa: F401
        assert caught.value.name == "jvm_of_tests.java.util.ArrayLst"
        with pytest.raises(ImportError, match=r"cannot import name 'List' from 'jvm_of_tests\.java\.utl'.*no classes at all"):
            from jvm_of_tests.java.utl import List  # type: ignore[import-not-found]  # noqa: F401
        with pytest.raises(ImportError, match="cannot import name 'Nowhere' from 'jvm_of_tests'"):
            from jvm_of_tests import Nowhere  # type: ignore[import-not-found]  # noqa: F401
        with pytest.raises(ImportError, match=r"from jvm_of_tests\.java\.util import ArrayList"):
            import_module("jvm_of_tests.java.util.ArrayList")


def test_a_name_that_is_taken_is_refused(gateway: bridge.Gateway) -> None:
    with pytest.raises(bridge.SamewireError, match="misuse"):
        gateway.importable("json" if "json" in sys.modules else "sys")
    with pytest.raises(bridge.SamewireError, match="identifier"):
        gateway.importable("not a name")


@pytest.mark.parametrize("name", ["connect", "embed", "launch", "typed"])
def test_a_module_does_not_take_the_place_of_its_function(name: str) -> None:
    program = f"import samewire.bridge.{name}, samewire.bridge as bridge; print(bridge.{name}.__name__, callable(bridge.{name}))"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout == f"{name} True\n"
