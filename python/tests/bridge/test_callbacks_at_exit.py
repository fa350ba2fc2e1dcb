"""The interpreter ends while the gateway's calls run."""

from __future__ import annotations

import subprocess
import sys
import threading

import pytest
from samewire import bridge

SPINNING = """
import threading
from samewire import bridge

gateway = {gateway}
begun = [threading.Event() for _ in range(3)]


def spin(event):
    event.set()
    while True:
        pass


for event in begun:
    gateway.java.lang.Thread(lambda event=event: spin(event)).start()
for event in begun:
    event.wait()
{end}
print("the end")
"""


@pytest.mark.parametrize("end", ["", "gateway.close()"], ids=["open", "closed"])
@pytest.mark.parametrize("gateway", ["bridge.launch()", "bridge.embed()"], ids=["launched", "embedded"])
def test_callbacks_that_go_on_do_not_abort_the_process(gateway: str, end: str) -> None:
    program = SPINNING.format(gateway=gateway, end=end)
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False)
    assert (ended.returncode, ended.stdout) == (0, "the end\n"), ended.stderr


def test_their_threads_end_with_the_session() -> None:
    gateway = bridge.launch()
    begun, go_on = threading.Event(), threading.Event()

    def wait() -> None:
        begun.set()
        go_on.wait()

    gateway.java.lang.Thread(wait).start()
    begun.wait()
    gateway.close()
    assert not gateway.session.callbacks_ended(0.01)
    go_on.set()
    assert gateway.session.callbacks_ended(60.0)
