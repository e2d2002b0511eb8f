"""The marks from which the tables of a drive count their scores; a room above stores them.

A drive stores one score for a table and round. The room that `DRIVE_TABLE_MARKS` in the
settings names stores what the table played, and has a section of the drive's file for it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.utils.functional import Promise
from django.utils.module_loading import import_string

from clubs.audit import Actor
from clubs.undoing import Inverse
from drives.files.drive_file import DriveFile
from drives.models import Drive


@dataclass(frozen=True, kw_only=True)
class TableMarks:
    """The functions of the room that stores the marks of a drive's tables."""

    begin: Callable[[Drive, Actor], object]
    """Let the tables of a new drive mark what they play."""
    file: type[DriveFile]
    """The format of a drive's file with the section of the marks."""
    fill: Callable[[Drive, Any, Actor], None]
    """Store the section of a file that was read as `file`."""
    write: Callable[[Drive], dict[str, Any]]
    """Return the section under its key; its value is None where the tables mark nothing."""
    differences: Callable[[Any], list[str]]
    """Name the tables of a file whose score is not what their marks say."""
    inverses: Mapping[str, Inverse]
    """What undoes the acts of a drive that the room records."""
    titles: Mapping[str, str | Promise]
    """The titles of these acts."""


def table_marks() -> TableMarks:
    """Return the record that the settings name."""
    found: TableMarks = import_string(settings.DRIVE_TABLE_MARKS)
    return found
