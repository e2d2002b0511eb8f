"""The undo actions of a rubber night; their names are stored, so they must not change.

Acts at a table can only be undone in reverse order. As an exception, a correction can be undone
after later acts, unless a later hand would become impossible.
"""

from collections.abc import Mapping

from clubs.undo import Inverse
from rubbers.services.check_in import reopen_check_in
from rubbers.services.hands import correct_hand, record_hand, set_table_round_ended, undo_hand
from rubbers.services.nights import (
    change_night,
    close_rubber_night,
    rename_night_player,
    reopen_rubber_night,
)
from rubbers.services.tables import (
    add_table,
    delete_table,
    restore_membership,
    restore_seating,
    substitute_player_at_table,
    undo_seating,
)

INVERSES: Mapping[str, Inverse] = {
    "rubbers.add_table": add_table,
    "rubbers.belong": restore_membership,
    "rubbers.change": change_night,
    "rubbers.check_in": reopen_check_in,
    "rubbers.close": close_rubber_night,
    "rubbers.correct": correct_hand,
    "rubbers.drop_table": delete_table,
    "rubbers.mark": record_hand,
    "rubbers.rename": rename_night_player,
    "rubbers.reopen": reopen_rubber_night,
    "rubbers.seat": restore_seating,
    "rubbers.settle": set_table_round_ended,
    "rubbers.substitute": substitute_player_at_table,
    "rubbers.unmark": undo_hand,
    "rubbers.unseat": undo_seating,
}
