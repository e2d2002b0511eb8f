"""The first request of each page of a hall of 100 tables in a new process."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
UNSET_VARIABLES = {"DJANGO_SETTINGS_MODULE", "DATABASE_URL", "REDIS_URL", "DATA_DIR"}
OUTPUT_LINE = re.compile(r"^(\S+(?: \S+)?) +(\d+) ms first = +(\d+\.\d) loops", re.MULTILINE)
MAX_REFERENCE_LOOPS = 9
"""The slowest page takes five loops of 45 ms on a quiet machine; the goal of 300 ms is six
and a half. A busy machine slows pages more than the loop."""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="each page is measured in a fork")
def test_first_request_of_every_page_with_a_hundred_tables_is_fast() -> None:
    environment = {
        key: value for key, value in os.environ.items() if key not in UNSET_VARIABLES
    }
    process = subprocess.run(
        [sys.executable, "-m", "bench.hall"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=1800,
    )
    assert process.returncode == 0, process.stderr[-2000:]
    found_texts = {
        page: float(loops) for page, _milliseconds, loops in OUTPUT_LINE.findall(process.stdout)
    }
    assert len(found_texts) == 25, process.stdout
    assert not {
        page: loops for page, loops in found_texts.items() if loops > MAX_REFERENCE_LOOPS
    }
