"""Requests for random pages, sent by the program wrk."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

PAGE_HEADS = {"Accept-Encoding": "gzip", "Host": "localhost"}
HEADS = {"HX-Request": "true"} | PAGE_HEADS
SEED = 7
LUA = """
math.randomseed({seed})
local paths = {{ {paths} }}
local heads = {{ {heads} }}
request = function()
  return wrk.format("GET", paths[math.random(#paths)], heads)
end
"""
DELAY = "delay = function() return math.random({least}, {most}) end\n"
FIGURES = re.compile(r"99%\s+([\d.]+)(us|ms|s)|Requests/sec:\s+([\d.]+)|Non-2xx.*: (\d+)")
MILLISECONDS = {"us": 0.001, "ms": 1.0, "s": 1000.0}


@dataclass(slots=True)
class Responses:
    """Responses a second, their 99th percentile in ms, and the number that failed."""

    rate: float = 0.0
    p99: float = 0.0
    refused: int = 0


@contextmanager
def requesting(
    port: int,
    paths: Iterable[str],
    folder: Path,
    *,
    seconds: int,
    heads: dict[str, str] = HEADS,
    connections: int = 16,
    pause_ms: int = 0,
) -> Iterator[Responses]:
    """Context manager: run wrk; the numbers are complete on exit, which waits for it.

    Each connection pauses for about `pause_ms` between two requests.
    """
    if shutil.which("wrk") is None:
        sys.exit("wrk is not installed.")
    script = folder / "wrk.lua"
    script.write_text(
        LUA.format(
            seed=SEED,
            paths=", ".join(f'"{path}"' for path in paths),
            heads=", ".join(f'["{name}"] = "{value}"' for name, value in heads.items()),
        )
        + (DELAY.format(least=pause_ms // 2, most=pause_ms * 3 // 2) if pause_ms else "")
    )
    command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency"]
    command += ["-s", str(script), f"http://127.0.0.1:{port}/"]
    found = Responses()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as wrk:
        yield found
        printed, _ = wrk.communicate()
    for late, unit, rate, refused in FIGURES.findall(printed):
        found.p99 = float(late) * MILLISECONDS[unit] if late else found.p99
        found.rate = float(rate) if rate else found.rate
        found.refused = int(refused) if refused else found.refused
