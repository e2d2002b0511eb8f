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
from tests.scoring.pages.test_standings_page import METHODS_BY_CONTEST, open_contest
from tournaments.models import Event, Session


@pytest.mark.parametrize(
    ("number", "expected_text"),
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
def test_place_is_formatted_as_an_ordinal(number: int, expected_text: str) -> None:
    assert format_ordinal(number) == expected_text


@given(st.integers(1, 400))
def test_every_ordinal_has_a_two_letter_suffix(number: int) -> None:
    assert re.fullmatch(rf"{number}(st|nd|rd|th)", format_ordinal(number))


def test_shared_place_is_marked_as_shared() -> None:
    row = RankRow(3, True, 4, "4 N-S", "A & B", Fraction(2), None, Fraction(176), 28)
    assert format_row_place(row, 7) == "=3rd of 7"


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize(
    ("contest_name", "is_closed", "standings_visibility"),
    list(product(METHODS_BY_CONTEST, (False, True), ("always", "never"))),
)
def test_scorecard_shows_the_place_only_if_standings_are_visible(
    contest_name: str, is_closed: bool, standings_visibility: str
) -> None:
    session = open_contest(contest_name)
    Event.objects.update(standings_shown=standings_visibility)
    if is_closed:
        scoring.services.close_session(
            session=session, by=evenings.create_club_with_director()[1]
        )
    standings.update_standings(session.event)
    page = Client().get(f"/events/{session.event.slug}/entries/1/").content.decode()
    is_place_visible = standings_visibility == "always" and (
        is_closed or contest_name != "memory"
    )
    assert ('class="place__rank"' in page) is is_place_visible
    assert bool(re.search(r"=?\d+(st|nd|rd|th) of \d+", page)) is is_place_visible
    if is_place_visible:
        table = load_rank_table(Event.objects.get(pk=session.event_id))
        sizes = {
            len(field.rows) for field in table.fields if any(r.entry == 1 for r in field.rows)
        }
        assert f" of {sizes.pop()}<" in page
    assert "sits out" in page or contest_name != "sit-outs" or not has_sit_out(session)


def has_sit_out(session: Session) -> bool:
    return any(
        1 in (*table.ns.entries, *table.ew.entries) and not table.is_played
        for table in load_session_snapshot(session).tables
    )


@pytest.mark.slow
@pytest.mark.django_db
def test_rounds_of_a_scorecard_sum_to_the_score() -> None:
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
        assert [round_.is_expanded for round_ in page.rounds] == [
            True,
            *[False] * (len(page.rounds) - 1),
        ]
        assert all(
            round_.is_expanded for round_ in build_card_page(card, is_expanded=True).rounds
        )
        assert page.highlights[0].note == f"of {len(card.lines)} boards"
        are_above_average = [
            board.difference_from_average > 0
            for round_ in page.rounds
            for board in round_.boards
            if board.difference_from_average
        ]
        assert page.highlights[0].value_text == str(sum(are_above_average))


@pytest.mark.django_db
def test_round_still_played_elsewhere_shows_its_total_but_not_its_boards() -> None:
    session, _user = evenings.play_session(but=5)
    standings.update_standings(session.event)
    table = load_rank_table(Event.objects.get(pk=session.event_id))
    whole = hidden_count = 0
    for entry in session.event.entries.all():
        card = load_scorecard(load_session_snapshot(session), entry, table)
        assert card.rank is not None
        page = build_card_page(card)
        lines = [it.total for it in page.rounds if it.total is not None]
        assert sum(lines) == card.rank.score
        for round_ in page.rounds:
            missing_flags = {board.difference_from_average is None for board in round_.boards}
            assert len(missing_flags) == 1
            hidden_count += missing_flags == {True}
            whole += missing_flags == {True} and round_.total is not None
    assert hidden_count > whole > 0


@pytest.mark.django_db
def test_distance_is_measured_to_first_place_or_from_first_to_second() -> None:
    session, user = evenings.play_session()
    scoring.services.close_session(session=session, by=user)
    standings.update_standings(session.event)
    table = load_rank_table(Event.objects.get(pk=session.event_id))
    for field in table.fields:
        for row in field.rows:
            entry = session.event.entries.get(number=row.entry)
            highlight = build_card_page(
                load_scorecard(load_session_snapshot(session), entry, table)
            ).highlights[-1]
            is_shared_first = row.rank == 1 and row.tied
            titles = {True: "Ahead of next", False: "Behind first"}
            assert highlight.title == (
                "First place" if is_shared_first else titles[row.rank == 1]
            )


@pytest.mark.django_db
def test_scorecard_of_an_individual_names_the_partner_of_each_round(client: Client) -> None:
    session, _user = evenings.player_count(9)
    snapshot = load_session_snapshot(session)
    names = {
        entry.number: f"{entry.number} {entry.name}" for entry in session.event.entries.all()
    }
    for entry in session.event.entries.all():
        for round_ in build_card_page(load_scorecard(snapshot, entry, None)).rounds:
            sides = [
                side.entries
                for table in snapshot.tables
                for side in (table.ns, table.ew)
                if table.round == round_.number and entry.number in side.entries
            ]
            partner_numbers = {number for side in sides for number in side} - {entry.number}
            assert {names[number] for number in partner_numbers} == {round_.partner} - {""}
    text = collapse_spaces(
        client.get(f"/events/{session.event.slug}/entries/1/").content.decode()
    )
    assert text.count("· with ") == 8


@pytest.mark.django_db
def test_scorecard_of_a_pair_names_no_partner() -> None:
    session, _user = evenings.open_session()
    card = load_scorecard(
        load_session_snapshot(session), session.event.entries.get(number=1), None
    )
    assert {round_.partner for round_ in build_card_page(card).rounds} == {""}
