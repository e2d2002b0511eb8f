"""Requests for random pages, sent by the program wrk."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

PAGE_HEADERS = {"Accept-Encoding": "gzip", "Host": "localhost"}
FRAGMENT_HEADERS = {"HX-Request": "true"} | PAGE_HEADERS
RANDOM_SEED = 7
LUA_SCRIPT = """
math.randomseed({seed})
local paths = {{ {paths} }}
local heads = {{ {heads} }}
request = function()
  return wrk.format("GET", paths[math.random(#paths)], heads)
end
"""
DELAY_SCRIPT = "delay = function() return math.random({least}, {most}) end\n"
OUTPUT_PATTERN = re.compile(
    r"99%\s+([\d.]+)(us|ms|s)|Requests/sec:\s+([\d.]+)|Non-2xx.*: (\d+)"
)
MILLISECONDS_PER_UNIT = {"us": 0.001, "ms": 1.0, "s": 1000.0}


@dataclass(slots=True)
class ResponseStatistics:
    """The responses a second, their 99th percentile in ms, and the number that failed."""

    rate: float = 0.0
    p99: float = 0.0
    failed: int = 0


@contextmanager
def run_wrk(
    port: int,
    paths: Iterable[str],
    folder: Path,
    *,
    seconds: int,
    headers: dict[str, str] = FRAGMENT_HEADERS,
    connections: int = 16,
    pause_ms: int = 0,
) -> Iterator[ResponseStatistics]:
    """Run wrk in the background during the block; the responses are complete at its end.

    Each connection pauses for about `pause_ms` between two requests.
    """
    if shutil.which("wrk") is None:
        sys.exit("wrk is not installed.")
    script = folder / "wrk.lua"
    script.write_text(
        LUA_SCRIPT.format(
            seed=RANDOM_SEED,
            paths=", ".join(f'"{path}"' for path in paths),
            heads=", ".join(f'["{name}"] = "{value}"' for name, value in headers.items()),
        )
        + (DELAY_SCRIPT.format(least=pause_ms // 2, most=pause_ms * 3 // 2) if pause_ms else "")
    )
    command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency"]
    command += ["-s", str(script), f"http://127.0.0.1:{port}/"]
    responses = ResponseStatistics()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as wrk_process:
        yield responses
        output, _ = wrk_process.communicate()
    for latency, unit, rate, failed_count in OUTPUT_PATTERN.findall(output):
        responses.p99 = (
            float(latency) * MILLISECONDS_PER_UNIT[unit] if latency else responses.p99
        )
        responses.rate = float(rate) if rate else responses.rate
        responses.failed = int(failed_count) if failed_count else responses.failed
