"""`Command`: methods that a pipeline encodes without calling them."""

from __future__ import annotations

import functools
import gc
import inspect
import weakref
from pydoc import plain, render_doc
from typing import Any
from unittest import mock

import pytest
from samewire._native import BOOL, OK, Command, Pipe, command
from samewire.redis.exceptions import DataError


class Commands:
    def execute_command(self, *args: Any, **options: Any) -> Any:
        raise NotImplementedError

    @command(b"SET", 2)
    def set(self, name: str, value: object, ex: int | None = None) -> Any:
        """Sets the value of a key."""
        return self.execute_command("SET", name, value, *(() if ex is None else ("EX", ex)))

    @command("CONFIG GET", 1)
    def config_get(self, pattern: str) -> Any:
        return self.execute_command("CONFIG GET", pattern)

    @command("DEL", -1)
    def delete(self, *names: str) -> Any:
        return self.execute_command("DEL", *names)


class Client(Commands):
    def execute_command(self, *args: Any, **options: Any) -> Any:
        return args


class Pipeline(Pipe, Client):
    def __init__(self, *arguments: object, **keywords: object) -> None:
        self.queued: list[tuple[Any, ...]] = []
        self.direct = EXECUTE
        self.note = "text"

    def execute_command(self, *args: Any, **options: Any) -> Any:
        self.queued.append(args)
        self.append(args)
        return self


EXECUTE = Pipeline.execute_command
SET = [b"SET", b"key", b"1"]


def test_a_pipeline_encodes_without_a_call() -> None:
    pipe = Pipeline("any", thing=1)
    assert pipe.set("key", 1) is pipe
    assert pipe.config_get("max*") is pipe
    assert ([pipe.arguments(0), pipe.arguments(1)], pipe.queued) == ([SET, [b"CONFIG", b"GET", b"max*"]], [])
    assert (len(pipe), bool(Pipeline())) == (2, True)
    with pytest.raises(IndexError, match="2 commands"):
        pipe.arguments(2)


def test_other_calls_reach_the_function() -> None:
    pipe = Pipeline()
    pipe.set("key", 1, 60)
    pipe.set("key", value=1)
    pipe.set(*("key", 1), ex=5)
    assert pipe.queued == [("SET", "key", 1, "EX", 60), ("SET", "key", 1), ("SET", "key", 1, "EX", 5)]
    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        pipe.set("key")  # type: ignore[call-arg]
    assert Client().set("key", 1) == ("SET", "key", 1)
    assert Client.set(Client(), "key", 1) == ("SET", "key", 1)
    bound: Any = pipe.set
    assert (bound("a", 1), inspect.ismethod(bound), bound.__self__) == (pipe, True, pipe)


def test_an_arity_may_be_the_least() -> None:
    pipe = Pipeline()
    for names in [("a",), ("a", "b"), ("a", "b", "c")]:
        pipe.delete(*names)
    assert [pipe.arguments(index)[1:] for index in range(3)] == [[b"a"], [b"a", b"b"], [b"a", b"b", b"c"]]
    assert pipe.queued == []
    with mock.patch.object(Pipeline, "append"):
        pipe.delete()
    assert pipe.queued == [("DEL",)]


def test_unusual_arguments_reach_the_function() -> None:
    class Number(int):
        pass

    pipe = Pipeline()
    unusual: list[Any] = [bytearray(b"1"), memoryview(b"1"), 1 << 64, Number(1)]
    for value in unusual:
        pipe.set("key", value)
    pipe.set("key", 1.5)
    pipe.set("key", -1)
    assert pipe.queued == [("SET", "key", value) for value in unusual]
    words = [b"1", b"1", b"18446744073709551616", b"1", b"1.5", b"-1"]
    assert [pipe.arguments(index)[2] for index in range(6)] == words


def test_a_patched_class_is_called_for_each_command(monkeypatch: pytest.MonkeyPatch) -> None:
    pipe = Pipeline()
    seen: list[Any] = []
    with mock.patch.object(Pipeline, "execute_command", lambda self, *args: seen.append(args)):
        pipe.set("key", 1)
    assert (seen, len(pipe)) == ([("SET", "key", 1)], 0)
    pipe.set("key", 1)
    assert (len(seen), len(pipe)) == (1, 1)
    with mock.patch.object(Pipeline, "set") as patched:
        pipe.set("key", 1)
    patched.assert_called_once_with("key", 1)


def test_an_override_is_called_for_each_command() -> None:
    class Other(Pipeline):
        def execute_command(self, *args: Any, **options: Any) -> Any:
            return super().execute_command("ECHO", *args[1:])

    pipe = Other()
    assert pipe.set("key", 1).arguments(0) == [b"ECHO", b"key", b"1"]


def test_an_instance_of_its_own_ways_is_called_for_each_command() -> None:
    pipe = Pipeline()
    pipe.note = "another text"
    pipe.execute_command = lambda *args: args  # type: ignore[method-assign]
    assert pipe.set("key", 1) == ("SET", "key", 1)
    del pipe.execute_command
    pipe.set("key", 1)
    assert (pipe.queued, pipe.direct) == ([("SET", "key", 1)], None)


def test_what_cannot_be_sent_changes_nothing() -> None:
    pipe = Pipeline()
    pipe.set("key", 1)
    with pytest.raises(DataError, match="not NoneType"):
        pipe.set("key", None)
    with pytest.raises(UnicodeEncodeError):
        pipe.set("key", "\ud800")
    assert (len(pipe), pipe.arguments(0)) == (1, SET)


def test_it_looks_like_its_function() -> None:
    wrapped = Commands.set.__wrapped__  # type: ignore[attr-defined]
    assert isinstance(Commands.__dict__["set"], Command)
    assert inspect.isfunction(wrapped)
    assert (Commands.set.__name__, Commands.set.__qualname__) == ("set", "Commands.set")
    assert (Commands.set.__doc__, Commands.set.__module__) == ("Sets the value of a key.", __name__)
    assert (Command.__module__, Command.__name__) == ("samewire._native", "Command")
    assert list(inspect.signature(Commands.set).parameters) == ["self", "name", "value", "ex"]
    assert list(inspect.signature(Pipeline().set).parameters) == ["name", "value", "ex"]
    assert Commands.set.__signature__ == inspect.signature(wrapped)  # type: ignore[attr-defined]
    assert Commands.set.__annotations__ == wrapped.__annotations__
    assert "set(self, name: 'str', value: 'object'" in plain(render_doc(Client))
    assert "Sets the value of a key." in plain(render_doc(Commands.set))
    assert inspect.getsource(Commands.set) == inspect.getsource(wrapped)
    assert repr(Commands.set) == "<command SET of Commands.set>"
    wrapper = functools.wraps(Commands.set)(lambda: None)
    assert (wrapper.__name__, wrapper.__wrapped__) == ("set", Commands.set)
    assert mock.create_autospec(Client).set is not None
    assert functools.partial(Commands.set, Client(), "a")(1) == ("SET", "a", 1)
    with pytest.raises(AttributeError):
        Commands.set.missing  # type: ignore[attr-defined]  # noqa: B018


def test_it_is_made_of_a_name_a_number_and_a_callable() -> None:
    wrongs: list[tuple[Any, ...]] = [(b"SET", 2), (b"SET", 2, 3), (b"", 2, print), ("SET", 1.5, print), (2, 2, print)]
    for wrong in wrongs:
        with pytest.raises((TypeError, ValueError, OverflowError)):
            Command(*wrong)
    with pytest.raises(TypeError, match="keywords"):
        Command(name=b"SET", arity=2, function=print)  # type: ignore[call-arg]


def test_it_is_collected_with_its_class() -> None:
    def made() -> weakref.ref[Any]:
        class Temporary(Pipe):
            @command(b"GET", 1)
            def get(self, name: str) -> Any:
                return Temporary

        Temporary().get("a")
        return weakref.ref(Temporary)

    alive = made()
    gc.collect()
    assert alive() is None


def test_a_callback_is_found_by_name() -> None:
    pipe = Pipeline()
    pipe.callbacks = {"SET": OK, "EXPIRE": BOOL, "GET": bytes.decode, "CONFIG GET": dict}
    assert pipe.callbacks["SET"] == OK
    pipe.append(("get", "key"))
    pipe.append(("GET", "key"), None, False, {"encoding": "latin-1"})
    assert len(pipe) == 2
