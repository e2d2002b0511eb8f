"""Services that change events and seatings without an effect on scores; atomic and audited.

Acts with an effect on scores (events made and edited, sessions opened and closed, seats changed
during play) are public in `scoring.services`; `groundwork` has their lower part.
"""

from clubs.services import create_club
from clubs.services.members import (
    add_member,
    change_role,
    new_password,
    remove_member,
)
from tournaments.services.dealing import deal_anew, name_public_value, seal_boards
from tournaments.services.entries import (
    enter,
    enter_many,
    may_enter,
    rename_entry,
    try_entries,
)
from tournaments.services.events import (
    bring_back_event,
    put_away_event,
    show_standings,
)
from tournaments.services.players import (
    add_player,
    merge_players,
    remove_player,
    rename_player,
    show_player,
)
from tournaments.services.saved import drop_movement, movement_of, save_movement
from tournaments.services.seating import seat_section, unseat
from tournaments.services.seats import (
    arranged,
    draw_seats,
    give_seats,
    unmet_wishes,
    wish_to_stay,
)
from tournaments.services.second_play import settle_second_play
from tournaments.services.sections import SectionPlan, divided, seat_sections
from tournaments.services.seeding import seat_by_seeds
from tournaments.services.session_boards import (
    correct_deal,
    import_deals,
    prepare_boards,
    share_boards,
    shuffle_at_table,
)
from tournaments.services.sessions import add_session, date_session, remove_session
from tournaments.services.trumps import agree_on_trumps
from tournaments.services.withdrawals import put_back_entry, remove_entry
