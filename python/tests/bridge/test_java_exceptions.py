"""Java's exceptions in Python, Python's in Java, and both coming home."""

from __future__ import annotations

import gc
import inspect
import re
import sys
import traceback
from typing import Any

import pytest
from samewire import bridge
from samewire.bridge.exceptions import raised, thrown
from samewire.errors import SamewireError


def test_exceptions_are_caught_by_class(gateway: bridge.Gateway) -> None:
    with pytest.raises(gateway.java.io.IOException) as caught:
        gateway.tested.Failing.missing()
    error = caught.value
    assert type(error) is gateway.java.io.FileNotFoundException
    assert isinstance(error, bridge.JavaError)
    assert error.message == "no such file"
    assert str(error) == "no such file"
    assert "tested.Failing.missing" in error.stack_trace
    assert error.java.getMessage() == "no such file"
    assert isinstance(error.java, gateway.java.io.IOException)
    assert error.getLocalizedMessage() == "no such file"
    assert error.__cause__ is None


def test_an_exception_gives_its_object_back_looked_at_or_not(gateway: bridge.Gateway) -> None:
    failed = gateway.java.io.FileNotFoundException
    before = gateway.statistics()["references"]
    kept = []
    for _ in range(600):
        with pytest.raises(failed) as caught:
            gateway.tested.Failing.missing()
        kept.append(caught.value)
    assert gateway.statistics()["references"] > before + 550
    assert kept[0].java is kept[0].java
    assert kept[0].java is not kept[1].java
    assert [error.java.getMessage() for error in kept[:300]] == ["no such file"] * 300
    del kept, caught
    gc.collect()
    assert gateway.statistics()["references"] < before + 50


def test_an_object_that_is_raised_again_is_the_same_proxy(gateway: bridge.Gateway) -> None:
    def fail() -> Any:
        raise first

    with pytest.raises(gateway.java.io.IOException) as caught:
        gateway.tested.Failing.missing()
    first = caught.value
    with pytest.raises(gateway.java.io.IOException) as again:
        gateway.tested.Failing.call(fail)
    assert again.value.java is first.java


def test_classes_form_javas_tree(gateway: bridge.Gateway) -> None:
    missing = gateway.java.io.FileNotFoundException
    assert issubclass(missing, gateway.java.lang.Exception)
    assert issubclass(missing, gateway.java.lang.Throwable)
    assert missing.__mro__[1] is gateway.java.io.IOException
    with pytest.raises(ValueError, match="For input string"):
        gateway.java.lang.Integer.parseInt("x")
    with pytest.raises(ArithmeticError):
        gateway.java.lang.Math.floorDiv(1, 0)


def test_an_exception_of_ones_own_keeps_its_members(gateway: bridge.Gateway) -> None:
    with pytest.raises(gateway.tested.Failing.Own) as caught:
        gateway.tested.Failing.own()
    assert caught.value.detail.to_py() == [1, 2]


def test_causes_and_suppressed_ones_are_chained(gateway: bridge.Gateway) -> None:
    with pytest.raises(gateway.java.lang.IllegalStateException) as caught:
        gateway.tested.Failing.caused()
    assert isinstance(caught.value.__cause__, gateway.java.io.IOException)
    assert str(caught.value.__cause__) == "inner"
    assert [str(error) for error in caught.value.suppressed] == ["beside"]
    text = "".join(traceback.format_exception(caught.value))
    assert "java.io.IOException: inner" in text
    assert "java.lang.IllegalStateException: outer" in text
    assert "at tested.Failing.caused" in text
    assert "beside" in text


def test_an_exception_is_constructed_and_raised(gateway: bridge.Gateway) -> None:
    def fail() -> Any:
        raise gateway.java.io.IOException("from Python")

    assert gateway.tested.Failing.caught(fail) == "IOException from Python"
    with pytest.raises(gateway.java.io.IOException, match="from Python"):
        fail()
    with pytest.raises(gateway.java.io.IOException, match="from Python"):
        gateway.tested.Failing.call(fail)


def test_an_exception_that_is_returned_is_an_exception(gateway: bridge.Gateway) -> None:
    made = gateway.tested.Failing.made()
    assert isinstance(made, gateway.java.io.FileNotFoundException)
    assert made.message == "made"
    with pytest.raises(gateway.java.io.IOException):
        raise made


def test_a_python_exception_comes_home_as_itself(gateway: bridge.Gateway) -> None:
    raised = LookupError("lost")

    def fail() -> Any:
        raise raised

    with pytest.raises(LookupError) as caught:
        gateway.tested.Failing.call(fail)
    assert caught.value is raised


def test_java_sees_what_python_raised(gateway: bridge.Gateway) -> None:
    def fail() -> Any:
        raise LookupError("lost")

    text = gateway.tested.Failing.caught(fail)
    assert "LookupError" in text
    assert "lost" in text


def test_the_stack_trace_in_java_has_the_frames_of_python(gateway: bridge.Gateway) -> None:
    def inner() -> Any:
        raise LookupError("lost")

    def outer() -> Any:
        try:
            raise KeyError("missing")
        except KeyError:
            return inner()

    trace = gateway.tested.Failing.trace(outer)
    lines = trace.splitlines()
    assert lines[0].endswith("PythonException: LookupError: lost")
    assert [line.split("(")[0].strip() for line in lines[1:3]] == ["at Python.inner", "at Python.outer"], trace
    assert "test_java_exceptions.py:" in lines[1]
    assert "at tested.Failing.trace(Failing.java:" in trace and "missing" not in trace


def test_a_checked_exception_that_an_interface_does_not_declare(gateway: bridge.Gateway) -> None:
    def fail() -> Any:
        raise gateway.java.io.IOException("gone")

    with pytest.raises(gateway.java.io.IOException, match="gone"):
        gateway.java.util.Optional.empty().orElseGet(fail)
    executor = gateway.java.util.concurrent.Executors.newSingleThreadExecutor()
    try:
        task = gateway.implement(fail, "java.lang.Runnable")
        with pytest.raises(gateway.java.util.concurrent.ExecutionException) as caught:
            executor.submit(task).get()
    finally:
        executor.shutdownNow()
    undeclared = caught.value.__cause__
    assert isinstance(undeclared, gateway.java.lang.reflect.UndeclaredThrowableException)
    assert str(undeclared) == "java.io.IOException: gone (java.lang.Runnable.run does not declare it)"
    assert isinstance(undeclared.__cause__, gateway.java.io.IOException)


def test_refusals_have_codes(gateway: bridge.Gateway) -> None:
    with pytest.raises(bridge.NoOverload, match="max") as caught:
        gateway.java.lang.Math.max("a", 1)
    assert caught.value.code == "type_mismatch"
    assert isinstance(caught.value, TypeError)
    with pytest.raises(TypeError, match="cannot be passed"):
        gateway.java.util.ArrayList().add(object())


def test_causes_are_printed_once(gateway: bridge.Gateway) -> None:
    lang = gateway.java.lang
    with pytest.raises(lang.RuntimeException) as caught:
        raise lang.RuntimeException("outer", lang.IllegalStateException("inner"))
    printed = "".join(traceback.format_exception(caught.value))
    assert printed.count("IllegalStateException: inner") == 2  # Python's line, and the head of Java's trace of it
    assert "Caused by" not in printed
    assert "Caused by: java.lang.IllegalStateException: inner" in caught.value.stack_trace


def test_a_gateways_names_and_refusals_are_shown_without_control_characters() -> None:
    denied = thrown(None, "a\nb\x1b[31m\u202e", "", "text of\nthe program's", "")
    assert str(denied) == "a\\u000ab\\u001b[31m\\u202e: text of\nthe program's"
    refused = thrown(None, "", "misuse", "misuse: x\n\x1b[2J é 書", "")
    assert isinstance(refused, SamewireError)
    assert (refused.code, refused.text) == ("misuse", "x\\u000a\\u001b[2J é 書")


def test_a_python_exception_is_an_argument_and_comes_back_as_itself(gateway: bridge.Gateway) -> None:
    lost = KeyError("lost")
    kept = gateway.java.util.ArrayList()
    kept.add(lost)
    assert kept[0] is lost
    assert kept.to_py()[0] is lost
    wrapped = gateway.java.lang.RuntimeException("outer", lost)
    assert wrapped.__cause__ is lost
    assert "Caused by: io.samewire.bridge.PythonException: KeyError: 'lost'" in wrapped.stack_trace


def _from(cause: BaseException, error: Any) -> Any:
    error.__cause__ = cause
    return error


def test_the_causes_of_what_python_raises_are_causes_in_java(gateway: bridge.Gateway) -> None:
    def fail() -> Any:
        try:
            int("x")
        except ValueError as error:
            raise KeyError("outer") from error

    trace = gateway.tested.Failing.trace(fail)
    head, _, cause = trace.partition("Caused by: ")
    assert head.startswith("io.samewire.bridge.PythonException: KeyError: 'outer'\n\tat Python.fail(")
    assert "at tested.Failing.trace(Failing.java:" in head  # the stack of the thread that called Python
    assert cause.startswith("io.samewire.bridge.PythonException: ValueError: invalid literal"), trace
    with pytest.raises(KeyError, match="outer") as caught:
        gateway.tested.Failing.call(fail)
    assert isinstance(caught.value.__cause__, ValueError)


def test_causes_of_both_languages_follow_one_another(gateway: bridge.Gateway) -> None:
    lang = gateway.java.lang
    inner = ValueError("innermost")
    java = _from(inner, lang.IllegalStateException("between"))
    outer = _from(java, KeyError("outermost"))

    def fail() -> Any:
        raise outer

    heads = [line for line in gateway.tested.Failing.trace(fail).splitlines() if not line.startswith("\t")]
    assert heads == [
        "io.samewire.bridge.PythonException: KeyError: 'outermost'",
        "Caused by: java.lang.IllegalStateException: between",
        "Caused by: io.samewire.bridge.PythonException: ValueError: innermost",
    ]
    with pytest.raises(KeyError) as caught:
        gateway.tested.Failing.call(fail)
    assert caught.value is outer
    assert java.java.getCause() is inner


def test_a_java_exception_that_is_raised_from_one_of_pythons_has_it_as_its_cause(gateway: bridge.Gateway) -> None:
    inner = ValueError("inner")

    def fail() -> Any:
        raise gateway.java.io.IOException("outer") from inner

    with pytest.raises(gateway.java.io.IOException) as caught:
        gateway.tested.Failing.call(fail)
    assert caught.value.__cause__ is inner
    assert "Caused by: io.samewire.bridge.PythonException: ValueError: inner" in caught.value.stack_trace


def test_causes_that_run_in_a_circle_end(gateway: bridge.Gateway) -> None:
    one, other = KeyError("one"), KeyError("other")
    one.__cause__, other.__cause__ = other, one

    def fail() -> Any:
        raise one

    with pytest.raises(KeyError) as caught:
        gateway.tested.Failing.call(fail)
    assert caught.value is one


def test_a_recursion_without_end_comes_home_as_itself(gateway: bridge.Gateway) -> None:
    raised = []

    def deeper(_: Any = None) -> Any:
        try:
            return gateway.java.util.Optional.of(1).map(deeper).get()
        except RecursionError as error:
            raised.append(error)
            raise

    before = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack(0)) + 150)
    try:
        with pytest.raises(RecursionError, match="maximum recursion depth") as caught:
            deeper()
    finally:
        sys.setrecursionlimit(before)
    assert caught.value is raised[0]
    assert gateway.java.lang.Math.abs(-1) == 1


def test_a_long_traceback_crosses_without_marks_and_with_its_innermost_frames() -> None:
    def fall(depth: int) -> None:
        if depth == 0:
            raise ValueError("at the bottom")
        fall(depth - 1)

    def trace(depth: int) -> str:
        with pytest.raises(ValueError, match="at the bottom") as caught:
            fall(depth)
        return raised(caught.value)[3]

    # Marks need the source parsed, 0.1 ms a frame, and are written at each of many nested callbacks.
    whole, cut = trace(2), trace(400)
    assert whole.count(", in fall") == 3
    assert "    fall(depth - 1)\n" in whole
    assert cut.startswith("Traceback (most recent call last):\n")
    assert cut.endswith('    raise ValueError("at the bottom")\nValueError: at the bottom\n')
    assert "Previous line repeated 46 more times" in cut
    assert "^" not in cut


def test_frames_of_the_gateway_are_shown_only_when_they_are_asked_for(gateway: bridge.Gateway) -> None:
    def parsed(text: str) -> int:
        number: int = gateway.java.lang.Integer.parseInt(text)
        return number

    with pytest.raises(bridge.JavaError) as caught:
        gateway.java.util.Optional.of("x").map(parsed)
    error: Any = caught.value
    trace = error.stack_trace
    assert trace.startswith('java.lang.NumberFormatException: For input string: "x"\n\tat java.base/java.lang.NumberFormat')
    assert "Integer.parseInt" in trace and "Optional.map" in trace
    for hidden in ("io.samewire", "$Proxy", "java.lang.Thread"):
        assert hidden not in trace
        assert hidden in error.full_stack_trace
    assert "io.samewire" not in "".join(traceback.format_exception(error))


def test_frames_by_which_the_gateway_calls_are_its_own(gateway: bridge.Gateway) -> None:
    with pytest.raises(IndexError) as caught:
        gateway.java.util.ArrayList()[9]
    trace = caught.value.stack_trace  # type: ignore[attr-defined]
    assert trace.startswith("java.lang.IndexOutOfBoundsException: index 9 of 0")
    assert "java.lang.reflect.Method" not in trace and "jdk.internal" not in trace


def test_frames_of_the_gateway_are_not_between_those_of_python_and_of_java(gateway: bridge.Gateway) -> None:
    def fail(_: object) -> None:
        raise ValueError("mine")

    with pytest.raises(gateway.java.util.concurrent.ExecutionException) as caught:
        gateway.java.util.concurrent.CompletableFuture.completedFuture(1).thenApply(fail).get()
    trace = caught.value.stack_trace
    first, second = trace.partition("Caused by: ")[2].splitlines()[1:3]
    assert first.startswith("\tat Python.fail(")
    assert "CompletableFuture" in second


def test_recursion_without_an_end_leaves_a_page(gateway: bridge.Gateway) -> None:
    nested = gateway.java.util.ArrayList()
    nested.add(nested)
    with pytest.raises(gateway.java.lang.StackOverflowError) as caught:
        gateway.java.util.Objects.hash(nested)
    lines = caught.value.stack_trace.splitlines()
    assert 50 < len(lines) < 130
    assert re.fullmatch(r"\t\.\.\. \d{3,} frames left out", lines[81])
    assert len(caught.value.full_stack_trace.splitlines()) > 500
