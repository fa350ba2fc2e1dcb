"""Celery: a worker process of its own, tasks, results, retries, chords, revoked tasks, remote control, events."""

from __future__ import annotations

import os
import sys
import threading

import redis
from harness import check, eventually, process, run

os.environ["KEY_PREFIX"] = "".join(word for word in sys.argv[1:] if word != "password")
if "password" in sys.argv:
    # Brokers with a password are checked every 25 seconds by kombu's defaults, from the first command of a connection on.
    url = os.environ["REDIS_URL"]
    with redis.from_url(url) as client:
        client.config_set("requirepass", "a-password")
    os.environ["REDIS_URL"] = url.replace("://", "://:a-password@")

from celery import chain, chord, group
from celery.exceptions import TaskRevokedError
from celery_app import add, app, fails, progress, sleeps, third_time, total


@check
def results() -> None:
    assert add.delay(2, 3).get(timeout=10) == 5
    assert [add.delay(i, i).get(timeout=10) for i in range(20)] == [2 * i for i in range(20)]


@check
def failures() -> None:
    result = fails.delay("wrong")
    try:
        result.get(timeout=10)
    except ValueError as error:
        assert error.args == ("wrong",) and result.state == "FAILURE" and "ValueError" in result.traceback
    else:
        raise AssertionError("no ValueError")


@check
def retries() -> None:
    assert third_time.delay().get(timeout=10) == 2


@check
def groups_chains_chords() -> None:
    assert group(add.s(i, i) for i in range(10))().get(timeout=10) == [2 * i for i in range(10)]
    assert chain(add.s(1, 2), add.s(3), add.s(4))().get(timeout=10) == 10
    assert chord((add.s(i, 1) for i in range(10)), total.s())().get(timeout=10) == 55
    nested = chord([chain(add.s(1, 1), add.s(1)), group(add.s(2, 2), add.s(3, 3)) | total.s()], total.s())
    assert nested().get(timeout=10) == 13


@check
def a_chord_whose_header_fails() -> None:
    result = chord([add.s(1, 1), fails.s("header")], total.s())()
    try:
        result.get(timeout=10)
    except Exception as error:
        assert "header" in str(error), error
    else:
        raise AssertionError("the chord passed")


@check
def countdown_and_expiry() -> None:
    assert add.apply_async((1, 1), countdown=0.2).get(timeout=10) == 2
    late = add.apply_async((1, 1), countdown=0.5, expires=0.1)
    eventually(lambda: late.state == "REVOKED")


@check
def revoked_before_and_while_running() -> None:
    waiting = sleeps.apply_async((5,), countdown=60)
    waiting.revoke()
    running = sleeps.delay(60)
    eventually(lambda: running.state == "STARTED")
    running.revoke(terminate=True, signal="SIGKILL")
    try:
        running.get(timeout=10)
    except TaskRevokedError:
        pass
    else:
        raise AssertionError("a task that was killed gave a result")
    assert add.delay(4, 4).get(timeout=10) == 8


@check
def remote_control() -> None:
    inspect = app.control.inspect(timeout=5, limit=1)
    (name,) = inspect.ping()
    assert set(inspect.registered()[name]) >= {"celery_app.add", "celery_app.sleeps"}
    waiting = add.apply_async((1, 1), countdown=30)
    eventually(lambda: waiting.id in [task["request"]["id"] for task in inspect.scheduled()[name]])
    app.control.revoke(waiting.id)
    assert app.control.rate_limit("celery_app.add", "1000/s", reply=True, timeout=5, limit=1)
    assert inspect.stats()[name]["total"]["celery_app.add"] > 20


@check
def states_and_callbacks() -> None:
    seen = []
    result = progress.delay()
    assert result.get(timeout=10, on_message=lambda message: seen.append(message["status"])) == "done"
    assert "PROGRESS" in seen and seen[-1] == "SUCCESS", seen
    result.forget()
    assert app.AsyncResult(result.id).state == "PENDING"


@check
def events() -> None:
    seen: list[tuple[str, object]] = []

    def note(event: dict[str, object]) -> None:
        seen.append((str(event["type"]), event.get("uuid")))
        receiver.should_stop = event["type"] == "task-succeeded" and ("task-received", event["uuid"]) in seen

    with app.connection() as connection:
        receiver = app.events.Receiver(connection, handlers={"*": note})
        thread = threading.Thread(target=receiver.capture, kwargs={"timeout": 30, "wakeup": False})
        thread.start()
        # What was sent before it has subscribed it does not see.
        while thread.is_alive():
            add.delay(1, 1).get(timeout=10)
            thread.join(0.3)
    assert seen and seen[-1][0] == "task-succeeded", seen


def purge_and_queue_length() -> None:
    for _ in range(5):
        add.apply_async((1, 1), queue="nobody")
    with app.connection_for_write() as connection:
        channel = connection.default_channel
        assert channel.queue_declare("nobody", passive=True).message_count == 5
        assert channel.queue_purge("nobody") == 5


# kombu looks for a queue without the prefix of its keys.
if not os.environ["KEY_PREFIX"]:
    check(purge_and_queue_length)


with process(
    "-m", "celery", "-A", "celery_app", "worker", "-c", "2", "-l", "INFO", "--without-gossip", KEY_PREFIX=os.environ["KEY_PREFIX"]
):
    eventually(lambda: app.control.ping(timeout=0.3), 120)
    run()
