"""Every change to a club and to who may do what there: a verb, atomic and audited."""

from clubs.services.clubs import (
    create_club,
    place_tables,
    set_correction_hours,
    set_currency,
    set_logo,
    set_look,
    set_room_plan,
)
from clubs.services.members import (
    add_member,
    ask_factor,
    change_role,
    new_password,
    remove_member,
)
from clubs.services.people import ask_again, keep_person, put_person, tell_apart

__all__ = [
    "add_member",
    "ask_again",
    "ask_factor",
    "change_role",
    "create_club",
    "keep_person",
    "new_password",
    "place_tables",
    "put_person",
    "remove_member",
    "set_correction_hours",
    "set_currency",
    "set_logo",
    "set_look",
    "set_room_plan",
    "tell_apart",
]
