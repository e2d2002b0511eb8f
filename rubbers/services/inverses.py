"""The inverses of the acts of a rubber night; their names are stored, so they must not change.

Acts at a table are undone in order. A correction is undone separately, whatever was recorded
after it, as long as the later hands remain possible.
"""

from collections.abc import Mapping

from clubs.undoing import Inverse
from rubbers.services.hands import correct_hand, mark_hand, settle_table, unmark_hand
from rubbers.services.nights import (
    change_rubbers,
    close_rubbers,
    rename_rubber_player,
    reopen_rubbers,
)
from rubbers.services.tables import (
    add_rubber_table,
    drop_rubber_table,
    put_belonging,
    seat_again,
    substitute_at_table,
    unseat,
)

INVERSES: Mapping[str, Inverse] = {
    "rubbers.add_table": add_rubber_table,
    "rubbers.belong": put_belonging,
    "rubbers.change": change_rubbers,
    "rubbers.close": close_rubbers,
    "rubbers.correct": correct_hand,
    "rubbers.drop_table": drop_rubber_table,
    "rubbers.mark": mark_hand,
    "rubbers.rename": rename_rubber_player,
    "rubbers.reopen": reopen_rubbers,
    "rubbers.seat": seat_again,
    "rubbers.settle": settle_table,
    "rubbers.substitute": substitute_at_table,
    "rubbers.unmark": unmark_hand,
    "rubbers.unseat": unseat,
}
