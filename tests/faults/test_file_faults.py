"""A fault of any change of a file leaves complete backups, and the old data or the new one."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = "import django; django.setup(); from tests.faults.fault_files import main; main()"


@pytest.mark.slow
@pytest.mark.parametrize("scenario", ["backup", "restore"])
def test_file_fault_during_a_backup_or_restore_leaves_complete_data(
    scenario: str, tmp_path: Path, empty_database_file: Path
) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    shutil.copyfile(empty_database_file, folder / "overplay.sqlite3")
    environ = os.environ | {"DATA_DIR": str(folder)}
    for name in ("SECRET_KEY", "DATABASE_URL"):
        environ.pop(name, None)
    completed_process = subprocess.run(
        [sys.executable, "-c", PROGRAM, scenario],
        cwd=ROOT,
        env=environ,
        capture_output=True,
        text=True,
        check=False,
    )
    assert completed_process.returncode == 0, completed_process.stderr
    assert int(completed_process.stdout.split()[0]) > 40
    print(completed_process.stdout)  # noqa: T201 - the number of faults
