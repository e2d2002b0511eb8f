"""The CPU share of each kind of process, read from Linux."""

import os
import subprocess
import time
from pathlib import Path

TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
SERVICES = {"postgres": "PostgreSQL", "redis-server": "Redis"}


class CpuMeter:
    """Measures the CPU time of the started programs and of the services."""

    def __init__(self) -> None:
        self.groups: dict[int, str] = {}
        self.before: dict[str, float] = {}
        self.since = 0.0

    def add(self, name: str, process: subprocess.Popen[bytes]) -> None:
        """Include a program with all its descendants under a name."""
        self.groups[process.pid] = name

    def start(self) -> None:
        """Start measuring."""
        self.before, self.since = self._read_cpu_seconds(), time.monotonic()

    def compute_shares(self) -> dict[str, float]:
        """Return the processors used since the start by name; 1.0 is one processor."""
        elapsed_seconds = time.monotonic() - self.since
        cpu_seconds = self._read_cpu_seconds()
        return {
            name: (seconds_after - self.before.get(name, 0.0)) / elapsed_seconds
            for name, seconds_after in cpu_seconds.items()
        }

    def show(self) -> dict[str, float]:
        """Print the shares, and return them."""
        shares = self.compute_shares()
        text = ", ".join(f"{name} {share:.2f}" for name, share in shares.items())
        print(f"  processors: {text}", flush=True)
        return shares

    def _read_cpu_seconds(self) -> dict[str, float]:
        names = [*self.groups.values(), *SERVICES.values()]
        cpu_seconds = dict.fromkeys(names, 0.0) | {"everything": _read_machine_cpu_seconds()}
        for stat_path in Path("/proc").glob("[0-9]*/stat"):
            try:
                command, _, rest = stat_path.read_text().partition("(")[2].rpartition(")")
            except OSError:  # it has ended
                continue
            fields = rest.split()
            name = self.groups.get(int(fields[2])) or SERVICES.get(command)
            if name:
                cpu_seconds[name] += (int(fields[11]) + int(fields[12])) / TICKS_PER_SECOND
        return cpu_seconds


def _read_machine_cpu_seconds() -> float:
    """Return the CPU time of all programs of the machine, in seconds."""
    fields = Path("/proc/stat").read_text().split("\n")[0].split()[1:]
    busy_ticks = [int(field) for index, field in enumerate(fields[:8]) if index not in (3, 4)]
    return sum(busy_ticks) / TICKS_PER_SECOND
