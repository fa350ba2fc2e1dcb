"""Calls that are sent with the next one of their thread."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest
from samewire import bridge
from samewire._native import Peer, StaticMethod

CONNECTION = "java.net.HttpURLConnection"


class Setting:
    """A setting of the JVM's that is written by a call that returns nothing. Each call is of a known site."""

    def __init__(self, gateway: bridge.Gateway) -> None:
        self._session = gateway.session
        self.tell = StaticMethod(self._session, CONNECTION, "setFollowRedirects").postponed()
        self.ask = StaticMethod(self._session, CONNECTION, "getFollowRedirects")
        self.text = StaticMethod(self._session, "java.lang.System", "lineSeparator")
        self.tell(True)
        assert (self.ask(), self.text()) == (True, "\n")
        # Nothing waits while calls go over the pipes of the launch.
        while self.is_made_at_once():
            time.sleep(0.01)
        assert self.ask() is True

    def made(self) -> tuple[int, int]:
        """Calls and batches so far."""
        counts = self._session.statistics()
        return counts["calls"], counts["batches"]

    def is_made_at_once(self) -> bool:
        """Whether a call that could wait does not."""
        before = self.made()
        self.tell(True)
        return self.made() != before

    def elsewhere(self) -> Any:
        """The setting as another thread sees it."""
        found: list[Any] = []
        thread = threading.Thread(target=lambda: found.append(self.ask()))
        thread.start()
        thread.join()
        return found[0]


@pytest.fixture
def setting(gateway: bridge.Gateway) -> Setting:
    """The setting, which is true."""
    return Setting(gateway)


def test_goes_with_the_next_call(setting: Setting) -> None:
    calls, batches = setting.made()
    assert setting.tell(False) is None
    assert setting.made() == (calls, batches)
    assert setting.ask() is False
    assert setting.made() == (calls + 2, batches + 1)
    assert setting.ask() is False
    assert setting.made() == (calls + 3, batches + 1)


def test_goes_before_a_call_whose_result_may_be_large(setting: Setting) -> None:
    setting.tell(False)
    assert setting.text() == "\n"
    assert setting.elsewhere() is False


def test_goes_before_a_call_of_large_arguments(gateway: bridge.Gateway, setting: Setting) -> None:
    length = StaticMethod(gateway.session, "java.util.Objects", "hashCode")
    assert length("") == 0
    setting.tell(False)
    assert length("\0" * 100_000) == 0
    assert setting.elsewhere() is False


def test_goes_before_a_batch_and_belongs_to_one_that_is_recorded(gateway: bridge.Gateway, setting: Setting) -> None:
    setting.tell(False)
    batch = gateway.session.batch()
    before = setting.ask()
    setting.tell(True)
    after = setting.ask()
    batch.run()
    assert (before.result(), after.result()) == (False, True)


def test_several_are_made_in_order(setting: Setting) -> None:
    calls, _ = setting.made()
    for number in range(1_001):
        setting.tell(number % 2 == 1)
    assert setting.ask() is False
    assert setting.made()[0] == calls + 1_002


def test_is_made_at_once_with_an_argument_that_is_large_or_an_object(gateway: bridge.Gateway) -> None:
    property_of = StaticMethod(gateway.session, "java.net.URLConnection", "setDefaultRequestProperty").postponed()
    copy = StaticMethod(gateway.session, "java.util.Collections", "reverse").postponed()
    numbers = gateway.java.util.ArrayList([1, 2])
    property_of("a", "b")
    copy(numbers)
    calls = gateway.session.statistics()["calls"]
    property_of("a", "b" * 10_000)
    copy(numbers)
    assert gateway.session.statistics()["calls"] == calls + 2
    assert list(numbers) == [1, 2]


def test_is_made_at_once_within_a_call_of_javas(gateway: bridge.Gateway, setting: Setting) -> None:
    class Runs:
        """Told by Java to run."""

        def run(self) -> None:
            """Writes the setting."""
            setting.tell(False)

    gateway.java.lang.Thread(Peer(Runs(), ("java.lang.Runnable",))).run()
    assert setting.elsewhere() is False


@pytest.mark.parametrize("next_one", ["ask", "text"])
def test_what_it_throws_is_raised_by_the_next_call(gateway: bridge.Gateway, setting: Setting, next_one: str) -> None:
    sleep = StaticMethod(gateway.session, "java.lang.Thread", "sleep").postponed()
    sleep(0)
    sleep(-1)
    setting.tell(False)
    with pytest.raises(gateway.java.lang.IllegalArgumentException, match="negative"):
        getattr(setting, next_one)()
    assert setting.ask() is False


def test_a_wrong_argument_of_the_next_call_leaves_it_waiting(setting: Setting) -> None:
    setting.tell(False)
    with pytest.raises(TypeError, match="cannot be passed"):
        setting.ask(object())
    assert setting.ask() is False
