"""Of an odd number of teams three play each other, half a match against both others."""

from collections import Counter
from fractions import Fraction
from random import Random

import pytest
from django.test import Client
from django.urls import reverse

import scoring.services
from exchange.eventfile.exporter import encode_event_file, export_event
from exchange.eventfile.importer import import_event
from scoring.services.swiss import find_draw, recompute_changed_draw
from scoring.session_snapshot import load_session_snapshot
from scoring.sheets.draws import load_drawn_rounds
from scoring.standings_engine.explanations import explain_corrected_total as corrected_account
from scoring.standings_engine.scores import score_event
from tests import evenings
from tests.scoring.swiss import swiss_evenings
from tests.scoring.swiss.swiss_evenings import play_round, section_of
from tournaments.board_counts import count_boards
from tournaments.errors import InvalidSeating, NotNow
from tournaments.movements.changes import Withdrawal
from tournaments.swiss.plan import InvalidPlan, SwissPlan

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def opened(teams: int = 7, rounds: int = 3, **plan):
    return swiss_evenings.opened(teams, rounds, contest="teams", three_way=True, **plan)


def draw(session, round_, user, **options):
    return scoring.services.draw_round(
        section=section_of(session), round_=round_, by=user, **options
    )


def play(session, drawn: int, user, lots: Random | None = None) -> None:
    for half in (2 * drawn - 1, 2 * drawn):
        play_round(session, half, user, lots=lots)


def tables_of(session, drawn: int):
    halves = (2 * drawn - 1, 2 * drawn)
    return [
        it
        for it in load_session_snapshot(session).tables
        if it.round in halves and it.is_played
    ]


def check_round(session, drawn: int, teams: int) -> None:
    """Check that all teams play each half once, and each two teams their boards both ways."""
    tables = tables_of(session, drawn)
    for half in (2 * drawn - 1, 2 * drawn):
        now = [it for it in tables if it.round == half]
        places = Counter(place for it in now for place in (*it.ns.places, *it.ew.places))
        assert len(places) == 2 * teams
        assert set(places.values()) == {1}
    ways: dict[tuple[frozenset[int], int], set[int]] = {}
    for it in tables:
        couple = frozenset((it.ns.entries[0], it.ew.entries[0]))
        assert len(couple) == 2
        for board in it.boards:
            ways.setdefault((couple, board), set()).add(it.ns.entries[0])
    assert all(found == set(couple) for (couple, _board), found in ways.items())
    boards = Counter(team for couple, _board in ways for team in couple)
    assert set(boards.values()) == {2}  # a match of two boards for everyone
    met = Counter(team for couple in {couple for couple, _ in ways} for team in couple)
    assert sorted(met.values()) == [1] * (teams - 3) + [2] * 3


@pytest.mark.parametrize("method", ["tricks", "victory_points"])
@pytest.mark.parametrize("teams", [5, 7, 9])
def test_an_odd_number_plays_on_and_nobody_sits_out(teams: int, method: str) -> None:
    session, user = opened(teams, method=method)
    lots = Random(f"{teams} {method}")
    assert count_boards(session) == 3 * 3  # a third set for the three
    for number in (1, 2, 3):
        check_round(session, number, teams)
        if number < 3:
            with pytest.raises(NotNow, match="Results are missing"):
                draw(session, 2 * number + 1, user)
        play(session, number, user, lots)
        found = score_event(session.event)
        assert not any(found.tally.missed_rounds.values())
        level = 10 * teams * number if method == "victory_points" else 0
        assert sum(found.scores.values()) == level
        if number < 3:
            made = draw(session, 2 * number + 1, user)
            assert find_draw(section_of(session), 2 * number + 2) == made
    for entry, total in found.corrected_totals.items():
        step = corrected_account(found, entry)
        assert sum((each.amount for each in step.parts), Fraction()) == total
    threes = [
        sheet for sheet in load_drawn_rounds(load_session_snapshot(session)) if sheet.has_three
    ]
    titles = ["Rounds 5 and 6", "Rounds 3 and 4", "Rounds 1 and 2"]
    assert [sheet.title for sheet in threes] == titles
    with pytest.raises(NotNow, match="6 rounds planned"):
        draw(session, 7, user)


def test_the_same_three_do_not_play_each_other_again() -> None:
    session, user = opened(9)
    met: Counter[frozenset[int]] = Counter()
    for number in (1, 2, 3):
        tables = tables_of(session, number)
        met.update({frozenset((it.ns.entries[0], it.ew.entries[0])) for it in tables})
        play(session, number, user)
        if number < 3:
            draw(session, 2 * number + 1, user)
    assert set(met.values()) == {1}


def test_a_draw_seats_and_takes_back_both_halves() -> None:
    session, user = opened()
    play(session, 1, user)
    made = draw(session, 3, user)
    assert section_of(session).rounds == 4
    table = tables_of(session, 1)[0]
    for board in table.boards:
        evenings.enter(session, table.sitting, board, "13", user)
    assert recompute_changed_draw(made) is not None
    again = scoring.services.redraw_round(change=made, by=user)
    assert section_of(session).rounds == 4
    check_round(session, 2, 7)
    scoring.services.undo_change(change=again, by=user)
    assert section_of(session).rounds == 2
    third = draw(session, 3, user)
    later = next(it for it in tables_of(session, 2) if it.round == 4)
    evenings.enter(session, later.sitting, later.boards[0], "7", user)
    with pytest.raises(NotNow, match="has been scored"):
        scoring.services.undo_change(change=third, by=user)
    assert section_of(session).rounds == 4


def test_when_one_goes_home_the_others_are_even() -> None:
    session, user = opened(method="victory_points")
    play(session, 1, user)
    section = section_of(session)
    scoring.services.change_session(
        section=section,
        played=2,
        change=Withdrawal(section.places.filter(entry__number=2)[0].number),
        key="swiss-out",
        what={"kind": "left", "names": [], "round": 3},
        names=[],
        by=user,
    )
    made = draw(session, 3, user)
    assert "three_way" not in made.what["draw"]
    assert len(made.what["draw"]["pairings"]) == 3
    play(session, 2, user)
    found = score_event(session.event)
    assert sum(found.scores.values()) == 70 + 60


def test_a_file_and_the_pages_tell_of_halves(client: Client) -> None:
    session, user = opened()
    play(session, 1, user)
    draw(session, 3, user)
    client.force_login(user)
    text = encode_event_file(export_event(session.event, with_deals=False))
    again = import_event(document=text, by=user)
    section = again.sessions.get().sections.get()
    assert (section.rounds, section.rounds_planned) == (4, 6)
    assert score_event(again).scores == score_event(session.event).scores
    page = client.get(reverse("draws", args=[session.event.slug]), follow=True).content.decode()
    assert "Rounds 3 and 4" in page
    assert "each plays half a match" in page


def test_what_cannot_be_is_refused_with_its_cure() -> None:
    event, user = evenings.event(7)
    session = event.sessions.get()
    plan = SwissPlan(3, three_way=True)
    with pytest.raises(InvalidSeating, match="Have the odd pair sit out"):
        scoring.services.seat_swiss(
            session=session, plan=plan, boards_a_round=2, copies=9, by=user
        )
    with pytest.raises(InvalidPlan, match="an even number of boards"):
        scoring.services.seat_swiss(
            session=session, plan=plan, boards_a_round=3, copies=9, by=user
        )
