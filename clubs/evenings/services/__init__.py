"""Atomic and audited changes to an evening, its clock, its table links and its calls.

The activity of the evening is unknown here: rounds, tables and the subject of the history
(`about`) are arguments.
"""

from clubs.evenings.services.attendance import (
    change_kind,
    drop_person,
    note_people,
    put_back_attendance,
    settle,
)
from clubs.evenings.services.booking_rows import put_back_bookings
from clubs.evenings.services.bookings import (
    BookingWishes,
    Who,
    answer_partner,
    answer_single,
    ask_partner,
    book,
    leave_booking,
    own_link,
    pair_singles,
    promote_booking,
    seek_partner,
    settle_bookings,
)
from clubs.evenings.services.calls import answer_call, call_director
from clubs.evenings.services.clock import (
    add_to_clock,
    end_phase,
    kept_clock,
    pause_clock,
    put_clock_back,
    reset_clock,
    restart_clock,
    set_clock,
    set_clock_to,
    start_clock,
)
from clubs.evenings.services.evenings import forget_section, remove_evening
from clubs.evenings.services.fixtures import (
    cancel_fixture,
    change_fixture,
    follow_evenings,
    make_fixture,
    revive_fixture,
)
from clubs.evenings.services.links import make_links, revoke_link, revoke_links
from clubs.evenings.services.series import (
    change_series,
    end_series,
    fill_ahead,
    make_series,
    resume_series,
)
from clubs.evenings.services.tables import OpenedTable, open_table, take_from_table
