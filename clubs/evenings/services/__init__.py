"""Atomic and audited services for an evening, its clock, its table links, calls and bookings.

These services do not depend on the activity of the evening. The caller passes the number of
rounds, the tables, and the subject of the recorded acts.
"""

from clubs.evenings.services.attendance import (
    change_attendance_kind,
    delete_attendance,
    record_attendance,
    record_payment,
    restore_attendance,
)
from clubs.evenings.services.booking_rows import restore_bookings
from clubs.evenings.services.bookings import (
    BookingOptions,
    NewPerson,
    answer_invitation,
    answer_partner_booking,
    create_booking,
    get_or_create_booking_link,
    invite_partner,
    leave_booking,
    pair_singles,
    promote_booking,
    promote_waiting_bookings,
    set_partner_search,
)
from clubs.evenings.services.calls import answer_call, call_director
from clubs.evenings.services.check_in_state import (
    end_check_in,
    open_check_in,
    set_check_in_state,
    write_check_in_state,
)
from clubs.evenings.services.check_ins import (
    NewCheckIn,
    check_in_people,
    check_out_people,
    lock_evening,
    merge_check_ins,
    move_check_in,
    rename_check_in,
    restore_check_ins,
    seat_people_at_table,
)
from clubs.evenings.services.clock import (
    add_minutes_to_clock,
    build_clock_state,
    end_phase,
    pause_clock,
    reset_clock,
    restart_clock,
    restore_clock,
    set_clock,
    set_clock_state,
    start_clock,
)
from clubs.evenings.services.evenings import delete_evening, delete_section_links
from clubs.evenings.services.fixtures import (
    cancel_fixture,
    change_fixture,
    create_fixture,
    restore_fixture,
    update_fixture_days,
)
from clubs.evenings.services.links import (
    create_evening_table_links,
    revoke_evening_table_link,
    revoke_evening_table_links,
)
from clubs.evenings.services.series import (
    change_series,
    create_series,
    create_upcoming_evenings,
    end_series,
    resume_series,
)
from clubs.evenings.services.tables import TableAccess, process_table_request, visit_table_link
