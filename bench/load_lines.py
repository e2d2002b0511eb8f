"""The lines that phones hold open: plain sockets, as little of HTTP as it takes."""

import asyncio
import re
from typing import Any
from urllib.parse import urlencode

PATIENCE = 15  # seconds until a phone gives an answer up


class Line(asyncio.Protocol):
    """One connection: asks one thing at a time, and opens anew when it was closed."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.transport: Any = None
        self.buffer = bytearray()
        self.answer: asyncio.Future[tuple[int, bytes]] | None = None

    def connection_made(self, transport: Any) -> None:
        self.transport = transport

    def connection_lost(self, _error: Exception | None) -> None:
        self.transport = None
        self._settle(error=ConnectionError("closed before the answer"))

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        head, found, body = bytes(self.buffer).partition(b"\r\n\r\n")
        if not found:
            return
        status, lowered = int(head[9:12]), head.lower()
        length = _length(lowered, status)
        if length is None:
            done, body = body.endswith(b"0\r\n\r\n"), _joined(body)
        else:
            done = len(body) >= length
        if done:
            if b"connection: close" in lowered and self.transport:
                self.transport.close()
                self.transport = None
            self._settle((status, body))

    async def ask(self, request: bytes) -> tuple[int, bytes]:
        """Send a request and wait for its answer; a closed connection is opened anew."""
        for attempt in (1, 2):
            loop = asyncio.get_running_loop()
            if self.transport is None or self.transport.is_closing():
                await loop.create_connection(lambda: self, "127.0.0.1", self.port)
            self.buffer.clear()
            self.answer = loop.create_future()
            late = loop.call_later(PATIENCE, self._give_up)
            try:
                self.transport.write(request)
                return await self.answer
            except ConnectionError:
                if attempt == 2:
                    raise
            finally:
                late.cancel()
        raise AssertionError

    def _give_up(self) -> None:
        self._settle(error=TimeoutError("no answer"))
        if self.transport:
            self.transport.abort()

    def _settle(
        self, answer: tuple[int, bytes] | None = None, error: Exception | None = None
    ) -> None:
        if self.answer and not self.answer.done():
            if answer:
                self.answer.set_result(answer)
            elif error:
                self.answer.set_exception(error)


def request(path: str, port: int, *headers: str, form: dict[str, Any] | None = None) -> bytes:
    """Write a request as a phone's browser does."""
    body = urlencode(form).encode() if form is not None else b""
    lines = [
        f"{'GET' if form is None else 'POST'} {path} HTTP/1.1",
        f"Host: 127.0.0.1:{port}",
        "Accept-Encoding: gzip",
        "User-Agent: Mozilla/5.0 (Linux; Android 14; Mobile) bench",
        *headers,
    ]
    if form is not None:
        lines += [
            "Content-Type: application/x-www-form-urlencoded",
            f"Content-Length: {len(body)}",
        ]
    return "\r\n".join([*lines, "", ""]).encode() + body


def _length(head: bytes, status: int) -> int | None:
    if status in (204, 304):
        return 0
    found = re.search(rb"content-length:\s*(\d+)", head)
    return int(found[1]) if found else None


def _joined(chunks: bytes) -> bytes:
    joined = b""
    while chunks:
        size, _, rest = chunks.partition(b"\r\n")
        length = int(size or b"0", 16)
        joined, chunks = joined + rest[:length], rest[length + 2 :]
    return joined
