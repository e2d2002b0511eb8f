"""Let each change of a file fail, or kill the process there, during backups and restores.

A change is a file or folder that is created, opened for writing, renamed, linked or deleted.
Each try is in a child of this process, which has no threads. The data folder is in DATA_DIR.
"""

import errno
import os
import resource
import shutil
import signal
import sys
import tempfile
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection, connections

from server import keys
from server.backups import create, file_format, restore, store
from server.backups.create import BackupFailed, BackupRequest
from server.backups.restore import RestoreRefused
from server.models import User
from tests.faults.write_faults import read_all_rows

CHANGE_EVENTS = {
    "os.rename",
    "os.remove",
    "os.link",
    "os.mkdir",
    "os.rmdir",
    "os.chmod",
    "open",
}
WRITE_FLAGS = os.O_WRONLY | os.O_RDWR | os.O_CREAT
MAX_CHANGES = 500
FILE_SIZES = (1, 1_000, 10_000, 100_000, 500_000, 1_000_000)
"""The sizes in bytes at which writes to a file fail, as on a full disk."""
OLD_NAME, NEW_NAME = "the name before", "the name in the backup"
OLD_KEY, NEW_KEY = "old" * 20, "new" * 20
PAPER = b"%PDF paper"
Act = Callable[[], object]
Fault = Callable[[], None]


def perform_in_child(act: Act, inject_fault: Fault) -> int:
    """Perform an act with a fault in a child, and return its exit code or negative signal.

    The code is 0 also after an error with a message for the user.
    """
    connections.close_all()
    child_pid = os.fork()
    if not child_pid:
        try:
            inject_fault()
            act()
        except (BackupFailed, RestoreRefused):
            os._exit(0)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    _child_pid, status = os.waitpid(child_pid, 0)
    return os.waitstatus_to_exitcode(status)


def build_change_fault(number: int, is_kill: bool, mark_folder: Path) -> Fault:
    """Return a fault at the n-th change below the data folder.

    `mark_folder` exists if the fault happened.
    """
    count = 0

    def check(event: str, arguments: tuple[Any, ...]) -> None:
        nonlocal count
        if event not in CHANGE_EVENTS or not is_change(event, arguments):
            return
        count += 1
        if count == number:
            os.mkdir(mark_folder)
            if is_kill:
                os.kill(os.getpid(), signal.SIGKILL)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    return lambda: sys.addaudithook(check)


def is_change(event: str, arguments: tuple[Any, ...]) -> bool:
    """Return whether an audit event is a change below the data folder.

    Files in a folder that is being deleted have only their names.
    """
    if event == "open" and not arguments[2] & WRITE_FLAGS:
        return False
    path = os.fsdecode(arguments[0]) if not isinstance(arguments[0], int) else ""
    return path.startswith(str(settings.DATA_DIR)) or (
        event in ("os.remove", "os.rmdir") and not path.startswith("/")
    )


def build_size_fault(size: int, is_kill: bool) -> Fault:
    """Return a fault of each write beyond a size of a file, also in SQLite."""

    def limit_files() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL if is_kill else signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return limit_files


def try_every_fault(act: Act, check: Act, prepare: Act) -> int:
    """Perform an act with each fault, and check the state afterwards; return the number."""
    mark = Path(tempfile.mkdtemp()) / "mark"
    fault_count = 0
    for is_kill in (False, True):
        for number in range(1, MAX_CHANGES):
            prepare()
            code = perform_in_child(act, build_change_fault(number, is_kill, mark))
            if not mark.exists():
                break
            mark.rmdir()
            assert code == (-signal.SIGKILL if is_kill else 0), f"change {number}: {code}"
            check()
            fault_count += 1
        assert code == 0, "The act failed after the last fault."
        for size in FILE_SIZES:
            prepare()
            code = perform_in_child(act, build_size_fault(size, is_kill))
            assert code in (0, -signal.SIGXFSZ), f"size {size}: {code}"
            check()
            fault_count += 1
        prepare()
        assert perform_in_child(act, lambda: None) == 0
    mark.parent.rmdir()
    return fault_count


def build_request() -> BackupRequest:
    return BackupRequest(kind="asked", folder=settings.BACKUP_DIR)


def try_backup_faults() -> int:
    """Try faults of backups: each listed backup is complete, and the rows are unchanged."""
    for limit in (
        "NEWEST_BACKUP_COUNT",
        "DAILY_BACKUP_COUNT",
        "WEEKLY_BACKUP_COUNT",
        "MONTHLY_BACKUP_COUNT",
    ):
        setattr(store, limit, 1)  # so that each backup deletes the previous one
    User.objects.create(username=OLD_NAME)
    create.create_backup(build_request())
    rows = read_all_rows()

    def check() -> None:
        assert read_all_rows() == rows
        backups = store.list_backups(settings.BACKUP_DIR)
        assert store.find_newest_good_backup(backups) is not None
        for backup in backups:
            with tempfile.TemporaryDirectory() as folder:
                file_format.extract_backup(backup.path, Path(folder))

    faults = try_every_fault(
        lambda: create.create_backup_and_clean_up(build_request()), check, lambda: None
    )
    check()
    assert len(store.list_backups(settings.BACKUP_DIR)) == 1
    assert list(settings.BACKUP_DIR.glob("*.part")) == []
    return faults


def try_restore_faults() -> int:
    """Try faults of restores: the data is the old or the new one, and its key is valid."""
    folder, media_folder = Path(settings.DATA_DIR), Path(settings.MEDIA_ROOT)
    key_file, copy = folder / keys.KEY_FILE_NAME, Path(tempfile.mkdtemp()) / "copy"
    user = User.objects.create(username=NEW_NAME)
    media_folder.mkdir()
    (media_folder / "paper.pdf").write_bytes(PAPER)
    settings.SECRET_KEY = NEW_KEY
    key_file.write_text(NEW_KEY, "ascii")
    path = create.create_backup(build_request()).path
    User.objects.filter(pk=user.pk).update(username=OLD_NAME)
    (media_folder / "paper.pdf").unlink()
    key_file.write_text(OLD_KEY, "ascii")
    connections.close_all()
    shutil.copytree(folder, copy)

    def prepare() -> None:
        connections.close_all()
        shutil.rmtree(folder)
        shutil.copytree(copy, folder)

    def check() -> None:
        is_restored = User.objects.get().username == NEW_NAME
        old_keys_file = folder / keys.OLD_KEYS_FILE_NAME
        old_keys = old_keys_file.read_text("ascii") if old_keys_file.exists() else ""
        valid_keys = [key_file.read_text("ascii"), *old_keys.split()]
        assert (NEW_KEY if is_restored else OLD_KEY) in valid_keys
        papers = [paper.read_bytes() for paper in media_folder.glob("*.pdf")]
        assert papers == [PAPER] if is_restored else papers in ([], [PAPER])

    def act() -> None:
        restore.restore_backup(path)

    def check_repeated_restore() -> None:
        """Restore in the folder that a killed restore has left."""
        check()
        assert perform_in_child(act, lambda: None) == 0
        assert User.objects.get().username == NEW_NAME
        check()

    return try_every_fault(act, check_repeated_restore, prepare)


SCENARIOS = {"backup": try_backup_faults, "restore": try_restore_faults}


def main() -> None:
    """Try the faults of the scenario named on the command line, and print their number."""
    options = connection.settings_dict["OPTIONS"]
    options["init_command"] += "; PRAGMA synchronous=OFF"
    print(SCENARIOS[sys.argv[1]](), "faults")  # noqa: T201 - the result
