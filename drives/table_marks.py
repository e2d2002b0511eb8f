"""The interface to an app that stores what a drive's tables played, for example rubbers.

A drive stores one score for a table and round. The setting `DRIVE_TABLE_MARKS` names the app
that stores the marks from which the score is counted. The app has a section of the drive's
file.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.utils.functional import Promise
from django.utils.module_loading import import_string

from clubs.audit import Actor
from clubs.undo import Inverse
from drives.files.drive_file import DriveFile
from drives.models import Drive


@dataclass(frozen=True, kw_only=True)
class TableMarks:
    """The functions of the app that stores the marks of a drive's tables."""

    enable_marks: Callable[[Drive, Actor], object]
    """Let the tables of a new drive record marks."""
    file_format: type[DriveFile]
    """The format of a drive's file with the section of the marks."""
    import_section: Callable[[Drive, Any, Actor], None]
    """Store the section of a file that was read as `file`."""
    export_section: Callable[[Drive], dict[str, Any]]
    """Return the section under its key, with the value None where tables record no marks."""
    find_differences: Callable[[Any], list[str]]
    """Return messages about tables of a file whose score differs from their marks."""
    inverses: Mapping[str, Inverse]
    """The inverses of the app's acts in the history of a drive."""
    titles: Mapping[str, str | Promise]
    """The titles of these acts."""


def get_table_marks() -> TableMarks:
    """Return the record that the settings name."""
    found: TableMarks = import_string(settings.DRIVE_TABLE_MARKS)
    return found
