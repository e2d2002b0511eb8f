"""Every change to clubs, events and seatings: a verb, atomic and audited."""

from tournaments.services.change import change_session, undo_change
from tournaments.services.dealing import deal_anew, name_public_value, seal_boards
from tournaments.services.entries import enter, enter_many, remove_entry, rename_entry
from tournaments.services.events import (
    create_club,
    create_event,
    edit_event,
    rename_player,
    show_standings,
)
from tournaments.services.play import (
    close_session,
    correct_deal,
    import_deals,
    open_session,
    prepare_boards,
    reopen_session,
    return_to_setup,
    shuffle_at_table,
    touch,
)
from tournaments.services.saved import drop_movement, movement_of, save_movement
from tournaments.services.seating import seat_section, unseat
from tournaments.services.seats import arranged, draw_seats, give_seats, wish_to_stay

__all__ = [
    "arranged",
    "change_session",
    "close_session",
    "correct_deal",
    "create_club",
    "create_event",
    "deal_anew",
    "draw_seats",
    "drop_movement",
    "edit_event",
    "enter",
    "enter_many",
    "give_seats",
    "import_deals",
    "movement_of",
    "name_public_value",
    "open_session",
    "prepare_boards",
    "remove_entry",
    "rename_entry",
    "rename_player",
    "reopen_session",
    "return_to_setup",
    "save_movement",
    "seal_boards",
    "seat_section",
    "show_standings",
    "shuffle_at_table",
    "touch",
    "undo_change",
    "unseat",
    "wish_to_stay",
]
