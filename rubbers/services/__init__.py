"""The services that write a rubber night."""

from rubbers.services.drives import drop_rubbers, score_by_rubbers
from rubbers.services.files import import_rubbers
from rubbers.services.hands import (
    correct_hand,
    mark_hand,
    settle_table,
    unmark_hand,
)
from rubbers.services.links import make_marker_links, revoke_marker_links
from rubbers.services.nights import (
    Guest,
    begin_rubbers,
    change_rubbers,
    close_rubbers,
    rename_rubber_player,
    reopen_rubbers,
    shares,
)
from rubbers.services.tables import (
    CutAgain,
    add_rubber_table,
    drop_rubber_table,
    join_table,
    leave_table,
    seat_next,
    substitute_at_table,
    unseat,
)
from rubbers.services.undoing import undo_last_at, undo_rubbers
