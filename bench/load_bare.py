"""What a server can do at best: give a file from memory, without a program behind it."""

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

FILE = Path(os.environ["BARE_FILE"]).read_bytes()
HEADERS = [("Content-Type", "text/html; charset=utf-8"), ("Content-Length", str(len(FILE)))]


def application(_environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
    """Give the file."""
    start("200 OK", list(HEADERS))
    return [FILE]
