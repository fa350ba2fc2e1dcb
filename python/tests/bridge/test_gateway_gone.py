"""A gateway that does not accept connections any more, before the control channel has reported its end."""

from __future__ import annotations

import socket
from collections.abc import Callable

import pytest
from samewire._native import Session
from samewire.errors import SamewireError
from scripted_gateway import TOKEN, ScriptedGateway, returned
from test_security_client import call, session


def stop(gateway: ScriptedGateway) -> None:
    gateway.stop_listening()


def vanish(gateway: ScriptedGateway) -> None:
    gateway.stop_listening()
    gateway.path.unlink()


@pytest.mark.parametrize("leave", [stop, vanish])
def test_a_channel_that_is_opened_too_late_is_closed_as_the_others(leave: Callable[[ScriptedGateway], None]) -> None:
    with ScriptedGateway(lambda message: returned("void", b"")) as gateway:
        late = session(gateway)
        leave(gateway)
        with pytest.raises(SamewireError, match=r"the gateway is gone: .*connect again") as caught:
            call(late)
        assert caught.value.code == "closed"
        late.close()


def test_a_stream_of_the_programs_is_closed_as_well() -> None:
    with ScriptedGateway(lambda message: returned("void", b"")) as gateway:

        def dial() -> socket.socket:
            stream = socket.socket(socket.AF_UNIX)
            try:
                stream.connect(str(gateway.path))
            except OSError:
                stream.close()
                raise
            return stream

        late = Session(("127.0.0.1", 1), TOKEN, shared_memory=False, stream=dial)
        gateway.stop_listening()
        with pytest.raises(SamewireError, match="the gateway is gone") as caught:
            call(late)
        assert caught.value.code == "closed"
        late.close()


def test_a_session_that_finds_no_gateway_raises_what_the_system_says() -> None:
    with ScriptedGateway(lambda message: None) as gateway:
        gateway.stop_listening()
        with pytest.raises(ConnectionRefusedError):
            Session(gateway.address, TOKEN, shared_memory=False)
