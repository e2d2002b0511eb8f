"""Atomic and audited changes that all kinds of activity share."""

from clubs.activities.services.lifecycle import (
    archive,
    close,
    lock,
    reopen,
    restore,
    touch,
    undo_of_creation,
)
from clubs.activities.services.links import make_table_links, revoke_table_links
from clubs.activities.services.undoing import is_from_staff, undo, undo_last
