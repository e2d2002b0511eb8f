"""The interface for an app that computes the scores of a drive's tables, such as `rubbers`.

A drive stores one score for each table and round. The app stores the marks from which such a
score is computed, e.g. the hands of a rubber. It also adds a section to the drive file. The
setting `DRIVE_TABLE_MARKS_PATH` names the app's `TableMarksHooks`.
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
class TableMarksHooks:
    """The functions and data of the app that stores the marks of a drive's tables."""

    enable_marks: Callable[[Drive, Actor], object]
    """Let the tables of a new drive record marks instead of scores."""
    file_format: type[DriveFile]
    """The schema of a drive file with the section of marks."""
    import_section: Callable[[Drive, Any, Actor], None]
    """Store the section of marks of an imported drive file."""
    export_section: Callable[[Drive], dict[str, Any]]
    """Return the section of marks for a drive file as {key: section}; it may be {key: None}."""
    find_mark_differences: Callable[[Any], list[str]]
    """Return a message for each table of a drive file whose score differs from its marks."""
    inverses: Mapping[str, Inverse]
    """The undo actions of the app in the history of a drive."""
    titles: Mapping[str, str | Promise]
    """The titles of the app's acts in the history of a drive, by action code."""


def get_table_marks_hooks() -> TableMarksHooks:
    """Return the `TableMarksHooks` that the setting `DRIVE_TABLE_MARKS_PATH` names."""
    table_marks_hooks: TableMarksHooks = import_string(settings.DRIVE_TABLE_MARKS_PATH)
    return table_marks_hooks
