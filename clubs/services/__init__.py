"""Atomic and audited services for a club, its members and its people."""

from clubs.services.clubs import (
    create_club,
    set_club_appearance,
    set_congress_features,
    set_correction_hours,
    set_currency,
    set_language,
    set_logo,
    update_table_positions,
)
from clubs.services.members import (
    add_member,
    change_role,
    remove_member,
    reset_password,
    set_second_factor_required,
)
from clubs.services.people import create_different_people_record, update_person
