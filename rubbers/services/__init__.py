"""The services that change rubber nights."""

from rubbers.services.drives import disable_rubbers, enable_rubbers
from rubbers.services.files import import_rubber_night
from rubbers.services.hands import (
    correct_hand,
    record_hand,
    set_table_round_ended,
    undo_hand,
)
from rubbers.services.links import create_marker_links, revoke_marker_links
from rubbers.services.nights import (
    NewRubberPlayer,
    change_night,
    close_rubber_night,
    compute_table_sizes,
    create_rubber_night,
    rename_night_player,
    reopen_rubber_night,
)
from rubbers.services.tables import (
    CutsRequired,
    add_table,
    delete_table,
    join_table,
    remove_table_member,
    seat_next_players,
    substitute_player_at_table,
    undo_seating,
)
from rubbers.services.undo import undo_act, undo_last_act
