"""Services that change a club and its roles, atomic and audited."""

from clubs.services.clubs import (
    create_club,
    place_tables,
    set_correction_hours,
    set_currency,
    set_logo,
    set_look,
)
from clubs.services.members import (
    add_member,
    ask_factor,
    change_role,
    new_password,
    remove_member,
)
from clubs.services.people import keep_person, tell_apart
