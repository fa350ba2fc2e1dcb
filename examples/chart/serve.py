"""Serves a page, and the readings of three sensors as one message of Samewire's. Prints its address.

usage: serve.py PORT      (0: a free one)
"""

import math
import sys
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from samewire import pack

HERE = Path(__file__).parent


@dataclass(slots=True, frozen=True)
class Reading:
    """What a sensor measured; None where it was out of reach."""

    sensor: str
    at: datetime
    celsius: float | None


def readings() -> list[Reading]:
    """A day of readings, one a minute and sensor."""
    midnight = datetime(2026, 6, 1, tzinfo=UTC)
    return [
        Reading(
            sensor,
            midnight + timedelta(minutes=minute),
            None if sensor == "roof" and 600 <= minute < 660 else round(14 + warmer - 6 * math.cos(minute / 229.18), 1),
        )
        for sensor, warmer in (("cellar", -4), ("garden", 0), ("roof", 5))
        for minute in range(24 * 60)
    ]


class Handler(SimpleHTTPRequestHandler):
    """The files of this folder, and the message."""

    message = pack.codec(list[Reading], profile="compact").encode(readings())

    def do_GET(self) -> None:
        """Answers with the message, or a file."""
        if self.path != "/readings":
            super().do_GET()
            return
        self.send_response(200)
        self.send_header("Content-Type", "application/octet-stream")
        self.send_header("Content-Length", str(len(self.message)))
        self.end_headers()
        self.wfile.write(self.message)

    def log_message(self, *_: object) -> None:
        """Keeps the terminal quiet."""


if __name__ == "__main__":
    handler = lambda *given: Handler(*given, directory=str(HERE))  # noqa: E731
    with ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), handler) as server:
        print(f"http://127.0.0.1:{server.server_port}/", flush=True)
        server.serve_forever()
