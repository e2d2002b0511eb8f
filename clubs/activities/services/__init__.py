"""Atomic and audited services that all kinds of activity share."""

from clubs.activities.services.lifecycle import (
    archive,
    build_creation_undo,
    close_activity,
    increment_revision,
    lock_activity,
    reopen_activity,
    restore_activity,
)
from clubs.activities.services.links import create_table_links, revoke_table_links
from clubs.activities.services.undo import (
    build_shared_inverses,
    find_last_undoable_act,
    is_from_staff,
    undo_activity_act,
    undo_newest_act,
)
