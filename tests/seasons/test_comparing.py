"""Which boards of an evening in sections are compared for people's figures and grades."""

import pytest

import scoring.services
import tournaments.services
from scoring.sittings import read_sittings
from seasons.comparing import own_boards
from tests import evenings
from tournaments.models import Sitting
from tournaments.movements import build

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("across", [True, False])
def test_a_ruling_leaves_a_board_out_where_it_is_compared(across: bool) -> None:
    event, user = evenings.event(12)
    entries = list(event.entries.order_by("number"))
    tournaments.services.seat_sections(
        session=event.sessions.get(),
        plans=[
            tournaments.services.SectionPlan(build("compass", pairs=6), {}, own)
            for own in (entries[:6], entries[6:])
        ],
        boards_a_round=2,
        across=across,
        by=user,
    )
    session = scoring.services.open_session(session=event.sessions.get(), by=user)
    plays = [
        (table.sitting, board, str((board + table.table) % 14))
        for table in read_sittings(session).tables
        for board in table.boards
    ]
    evenings.enter_all(plays, user)
    ruled = Sitting.objects.get(section__letter="A", round=1, table=1)
    scoring.services.make_ruling(kind="average", sitting=ruled, board=1, by=user)
    had = {entry.number: len(own_boards(event)[entry.pk]) for entry in entries}
    assert set(had.values()) == ({5} if across else {5, 6})
    assert {had[number] for number in range(7, 13)} == {5 if across else 6}
