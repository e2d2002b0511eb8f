"""Every measurement in docs/performance.md starts with the command that is given there."""

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COMMAND_PATTERN = re.compile(r"^((?:[A-Z_]+=\S+ )*)python -m (bench\.\w+)", re.MULTILINE)
UNSET_VARIABLES = {"DJANGO_SETTINGS_MODULE", "DATABASE_URL", "REDIS_URL"}


def test_every_documented_benchmark_can_be_imported_without_settings() -> None:
    documented_commands = set(
        COMMAND_PATTERN.findall((ROOT / "docs" / "performance.md").read_text("utf-8"))
    )
    assert {module for _variables, module in documented_commands} >= {
        "bench.papers",
        "bench.load",
    }
    processes_by_module = {
        module: start_import_process(module, variables)
        for variables, module in sorted(documented_commands)
    }
    errors_by_module = {
        module: process.communicate()[1][-400:]
        for module, process in processes_by_module.items()
    }
    assert {
        module: errors_by_module[module]
        for module, process in processes_by_module.items()
        if process.returncode
    } == {}


def start_import_process(module: str, given: str) -> subprocess.Popen[str]:
    """Import a script as Python does before running it, in a process of its own."""
    environment = {
        name: value for name, value in os.environ.items() if name not in UNSET_VARIABLES
    }
    environment |= dict(item.split("=", 1) for item in given.split())
    command = [sys.executable, "-c", f"import {module}"]
    return subprocess.Popen(
        command, cwd=ROOT, env=environment, stderr=subprocess.PIPE, text=True
    )
