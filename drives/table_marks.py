"""The interface for the app that records marks at a drive's tables, such as rubbers.

A drive stores one score for each table and round. The setting `DRIVE_TABLE_MARKS` names the app
that stores the marks from which a score is computed, and adds a section to the drive file.
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
    """The functions of the app that stores the marks of a drive's tables, called by drives."""

    enable_marks: Callable[[Drive, Actor], object]
    """Enable marks for the tables of a new drive."""
    file_format: type[DriveFile]
    """The schema of a drive's file that includes the section of marks."""
    import_section: Callable[[Drive, Any, Actor], None]
    """Store the section of marks of an imported drive file."""
    export_section: Callable[[Drive], dict[str, Any]]
    """Return the section of marks for a drive's file, by its key; its value may be None.
    """
    find_differences: Callable[[Any], list[str]]
    """Return a message for each table of a file whose score differs from its marks."""
    inverses: Mapping[str, Inverse]
    """The undo actions of the app in the history of a drive."""
    titles: Mapping[str, str | Promise]
    """The titles of these acts."""


def get_table_marks() -> TableMarks:
    """Return the `TableMarks` that the setting `DRIVE_TABLE_MARKS` names."""
    table_marks: TableMarks = import_string(settings.DRIVE_TABLE_MARKS)
    return table_marks
