"""The services that write a drive."""

from drives.services.beginning import (
    begin_drive,
    change_terms,
    plan_rounds,
)
from drives.services.changes import put_back
from drives.services.drawing import next_round
from drives.services.files import import_drive
from drives.services.house import begin_alike, set_house_terms
from drives.services.links import make_card_links, revoke_card_links
from drives.services.players import (
    NewPlayer,
    add_players,
    come_late,
    describe_player,
    keep_apart,
    leave,
    name_player,
    set_house,
    stay_seated,
    substitute,
)
from drives.services.prizes import close_drive, reopen_drive, set_prizes, win_cut
from drives.services.rehearsing import rehearse_drive, throw_drive_away
from drives.services.scores import (
    CardTaken,
    EnteredSheet,
    EnteredTotal,
    agree_sheet,
    enter_sheet,
    enter_total,
)
from drives.services.tables import (
    agree_from_table,
    enter_from_table,
    make_table_links,
)
from drives.services.undoing import undo, undo_last
