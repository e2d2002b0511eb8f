"""The services that change drives."""

from drives.services.create import (
    change_terms,
    create_drive,
    set_round_count,
)
from drives.services.draw_rounds import begin_next_round
from drives.services.files import import_drive
from drives.services.house import save_as_club_defaults, set_house_terms
from drives.services.house_tables import (
    delete_club_points_table,
    save_club_points_table,
    set_contract_words,
)
from drives.services.links import create_card_links, revoke_card_links
from drives.services.players import (
    NewPlayer,
    add_late_player,
    add_players,
    name_player,
    remove_player,
    set_house_players,
    set_pair_kept_apart,
    set_player_stationary,
    substitute_player,
    update_player,
)
from drives.services.points import change_points
from drives.services.prizes import close_drive, record_cut_winners, reopen_drive, set_prizes
from drives.services.rehearsal import create_rehearsal, delete_rehearsal
from drives.services.scores import (
    EnteredSheet,
    confirm_sheet,
    enter_sheet,
)
from drives.services.seat_changes import undo_seat_change
from drives.services.tables import (
    confirm_sheet_from_table,
    create_table_links,
    enter_score_from_table,
)
from drives.services.totals import EnteredTotal, TotalAlreadyEntered, enter_total
from drives.services.undo import undo_act, undo_last_act
