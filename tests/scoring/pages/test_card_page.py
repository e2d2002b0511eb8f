"""An entry's page: its place in words, its rounds and boards, and nothing hidden."""

import re
from fractions import Fraction
from itertools import product

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

import scoring.services
from scoring.session_snapshot import load_session_snapshot
from scoring.sheets.card_page import build_card_page, format_ordinal, format_row_place
from scoring.sheets.ranks import load_rank_table
from scoring.sheets.travellers import load_scorecard
from scoring.sheets.values import RankRow
from scoring.standings_engine import standings
from tests import evenings
from tests.page_text import collapse_spaces
from tests.scoring.pages.test_standings_page import CONTESTS, open_contest
from tournaments.models import Event, Session


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (1, "1st"),
        (2, "2nd"),
        (3, "3rd"),
        (4, "4th"),
        (11, "11th"),
        (12, "12th"),
        (13, "13th"),
        (21, "21st"),
        (22, "22nd"),
        (101, "101st"),
        (111, "111th"),
    ],
)
def test_a_place_is_written_as_people_say_it(number: int, text: str) -> None:
    assert format_ordinal(number) == text


@given(st.integers(1, 400))
def test_every_place_ends_in_two_letters(number: int) -> None:
    assert re.fullmatch(rf"{number}(st|nd|rd|th)", format_ordinal(number))


def test_a_shared_place_says_so() -> None:
    row = RankRow(3, True, 4, "4 N-S", "A & B", Fraction(2), None, Fraction(176), 28)
    assert format_row_place(row, 7) == "=3rd of 7"


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize(
    ("name", "closed", "shown"),
    list(product(CONTESTS, (False, True), ("always", "never"))),
)
def test_a_card_begins_with_its_place_only_where_standings_are_shown(
    name: str, closed: bool, shown: str
) -> None:
    session = open_contest(name)
    Event.objects.update(standings_shown=shown)
    if closed:
        scoring.services.close_session(
            session=session, by=evenings.create_club_with_director()[1]
        )
    standings.update_standings(session.event)
    page = Client().get(f"/events/{session.event.slug}/entries/1/").content.decode()
    may = shown == "always" and (closed or name != "memory")
    assert ('class="place__rank"' in page) is may
    assert bool(re.search(r"=?\d+(st|nd|rd|th) of \d+", page)) is may
    if may:
        table = load_rank_table(Event.objects.get(pk=session.event_id))
        sizes = {
            len(field.rows) for field in table.fields if any(r.entry == 1 for r in field.rows)
        }
        assert f" of {sizes.pop()}<" in page
    assert "sits out" in page or name != "sit-outs" or not has_sit_out(session)


def has_sit_out(session: Session) -> bool:
    return any(
        1 in (*table.ns.entries, *table.ew.entries) and not table.is_played
        for table in load_session_snapshot(session).tables
    )


@pytest.mark.slow
@pytest.mark.django_db
def test_rounds_add_up_to_the_score_and_the_way_ends_there() -> None:
    session, user = evenings.play_session()
    scoring.services.close_session(session=session, by=user)
    standings.update_standings(session.event)
    table = load_rank_table(Event.objects.get(pk=session.event_id))
    for entry in session.event.entries.all():
        card = load_scorecard(load_session_snapshot(session), entry, table)
        page = build_card_page(card)
        assert card.rank is not None
        assert (
            sum(round_.total for round_ in page.rounds if round_.total is not None)
            == card.rank.score
        )
        assert [round_.is_open for round_ in page.rounds] == [
            True,
            *[False] * (len(page.rounds) - 1),
        ]
        assert all(round_.is_open for round_ in build_card_page(card, is_unfolded=True).rounds)
        assert page.facts[0].note == f"of {len(card.lines)} boards"
        signs = [
            board.gap > 0 for round_ in page.rounds for board in round_.boards if board.gap
        ]
        assert page.facts[0].figure == str(sum(signs))


@pytest.mark.django_db
def test_while_others_play_a_round_is_told_as_a_whole_and_its_boards_are_not() -> None:
    session, _user = evenings.play_session(but=5)
    standings.update_standings(session.event)
    table = load_rank_table(Event.objects.get(pk=session.event_id))
    whole = hidden = 0
    for entry in session.event.entries.all():
        card = load_scorecard(load_session_snapshot(session), entry, table)
        assert card.rank is not None
        page = build_card_page(card)
        lines = [it.total for it in page.rounds if it.total is not None]
        assert sum(lines) == card.rank.score
        for round_ in page.rounds:
            gaps = {board.gap is None for board in round_.boards}
            assert len(gaps) == 1
            hidden += gaps == {True}
            whole += gaps == {True} and round_.total is not None
    assert hidden > whole > 0


@pytest.mark.django_db
def test_the_distance_is_to_the_first_and_of_the_first_to_the_next() -> None:
    session, user = evenings.play_session()
    scoring.services.close_session(session=session, by=user)
    standings.update_standings(session.event)
    table = load_rank_table(Event.objects.get(pk=session.event_id))
    for field in table.fields:
        for row in field.rows:
            entry = session.event.entries.get(number=row.entry)
            fact = build_card_page(
                load_scorecard(load_session_snapshot(session), entry, table)
            ).facts[-1]
            level = row.rank == 1 and row.tied
            titles = {True: "Ahead of next", False: "Behind first"}
            assert fact.title == ("First place" if level else titles[row.rank == 1])


@pytest.mark.django_db
def test_the_card_of_a_single_player_names_the_partner_of_each_round(client: Client) -> None:
    session, _user = evenings.open_individual(9)
    room = load_session_snapshot(session)
    names = {
        entry.number: f"{entry.number} {entry.name}" for entry in session.event.entries.all()
    }
    for entry in session.event.entries.all():
        for round_ in build_card_page(load_scorecard(room, entry, None)).rounds:
            sides = [
                side.entries
                for table in room.tables
                for side in (table.ns, table.ew)
                if table.round == round_.number and entry.number in side.entries
            ]
            other_sides = {number for side in sides for number in side} - {entry.number}
            assert {names[number] for number in other_sides} == {round_.partner} - {""}
    text = collapse_spaces(
        client.get(f"/events/{session.event.slug}/entries/1/").content.decode()
    )
    assert text.count("· with ") == 8


@pytest.mark.django_db
def test_the_card_of_a_pair_names_no_partner() -> None:
    session, _user = evenings.open_session()
    card = load_scorecard(
        load_session_snapshot(session), session.event.entries.get(number=1), None
    )
    assert {round_.partner for round_ in build_card_page(card).rounds} == {""}
