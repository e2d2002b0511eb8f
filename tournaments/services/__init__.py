"""Services that change events and seatings without changing scores; each is atomic and audited.

`scoring.services` has the actions that can change scores: creating and editing events, opening
and closing sessions, changing seats during play. It calls `groundwork` to change the rows.
"""

from clubs.services import create_club
from clubs.services.members import (
    add_member,
    change_role,
    remove_member,
    reset_password,
)
from tournaments.services.dealing import record_public_value, redeal_boards, seal_boards
from tournaments.services.entries import (
    can_add_entries,
    check_entries,
    create_entries,
    create_entry,
    rename_entry,
)
from tournaments.services.events import (
    archive_event,
    restore_event,
    set_standings_visibility,
)
from tournaments.services.players import (
    add_player,
    merge_players,
    remove_player,
    rename_player,
    set_player_visibility,
)
from tournaments.services.saved_movements import (
    build_saved_movement,
    delete_movement,
    save_movement,
)
from tournaments.services.seating import remove_seating, seat_section
from tournaments.services.seats import (
    arrange_entries,
    assign_seats,
    draw_seats,
    list_entries_with_unmet_needs,
    set_stationary_wishes,
)
from tournaments.services.second_play import set_second_play
from tournaments.services.sections import PlannedSection, divide_entries, seat_sections
from tournaments.services.seeding import seat_entries_by_seeds
from tournaments.services.session_boards import (
    correct_deal,
    import_deals,
    request_dealing,
    set_table_shuffling,
    share_boards,
)
from tournaments.services.sessions import add_session, remove_session, set_session_date
from tournaments.services.trumps import set_trumps
from tournaments.services.withdrawals import remove_entry, restore_entry
