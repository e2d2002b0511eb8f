"""Test an event's seeds, strata, tags and prizes, and seating by seeds."""

from datetime import date
from fractions import Fraction
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

import hall.history.undo
import scoring.services
import tournaments.services
from clubs import audit
from printing.values import Heading
from scoring.errors import StageRefused
from scoring.models import EntryProfile, EventPrize, Strata
from scoring.sheets.field_lists import build_prize_sheet, build_strata_tables
from scoring.sheets.values import RankedGroup, RankRow, RankTable
from scoring.standings_engine import standings
from scoring.standings_engine.overall_order import load_strata
from tests import evenings
from tournaments.errors import ActionUnavailable, InvalidSeating
from tournaments.models import Entry, Event, Place

pytestmark = pytest.mark.django_db


def test_stratum_is_derived_from_ratings_unless_set_manually() -> None:
    event, user = evenings.create_event(4)
    scoring.services.set_strata(
        event=event, lines=[("A", "1800"), ("B", "1500"), ("C", "")], rule="mean", by=user
    )
    scoring.services.set_entry_profiles(
        event=event,
        profiles_by_number={
            1: {"ratings": ["1900", "1750"], "seed": 2},
            2: {"ratings": ["1400"], "tags": ["Mixed", "mixed "]},
            3: {"ratings": ["1400"], "stratum": "A"},
        },
        by=user,
    )
    event.refresh_from_db()
    assert load_strata(event) == {1: "A", 2: "C", 3: "A", 4: "C"}
    assert EntryProfile.objects.get(entry__number=2).tags == ["mixed"]
    with pytest.raises(StageRefused, match="Seed 2"):
        scoring.services.set_entry_profiles(
            event=event, profiles_by_number={4: {"seed": 2}}, by=user
        )
    with pytest.raises(StageRefused, match="t a rating"):
        scoring.services.set_entry_profiles(
            event=event, profiles_by_number={4: {"ratings": ["x"]}}, by=user
        )


def test_strata_profiles_and_prizes_can_be_undone() -> None:
    event, user = evenings.create_event(2)
    scoring.services.set_strata(event=event, lines=[("A", ""), ("B", "")], by=user)
    scoring.services.set_entry_profiles(
        event=event, profiles_by_number={1: {"seed": 1}}, by=user
    )
    prizes = [{"name": "Cup", "listed": "all"}, {"name": "Purse", "kind": "money", "value": 5}]
    scoring.services.set_prizes(event=event, prizes=prizes, by=user)
    scoring.services.set_prizes(event=event, prizes=prizes, by=user)
    acts = audit.list_acts(event)
    assert acts.filter(action="prizes.settled").count() == 1
    for action in ("strata.settled", "entries.profiled", "prizes.settled"):
        act = acts.filter(action=action).first()
        hall.history.undo.undo_event_act(event=event, act=act, by=user)
    assert not Strata.objects.exists()
    assert not EventPrize.objects.exists()
    assert EntryProfile.objects.get().seed is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("lines", "rule", "expected_error"),
    [
        ([("A", "")], "hand", "2 to 6 strata"),
        ([("A", ""), ("a", "")], "hand", "a different name"),
        ([("A", "5"), ("B", "9")], "mean", "highest to the lowest"),
        ([("A", "5"), ("B", "1")], "best", "how the stratum is decided"),
    ],
)
def test_invalid_strata_are_refused(lines, rule: str, expected_error: str) -> None:
    event, user = evenings.create_event(2)
    with pytest.raises(StageRefused, match=expected_error):
        scoring.services.set_strata(event=event, lines=lines, rule=rule, by=user)


@pytest.mark.parametrize(
    ("prize", "text"),
    [
        ({"name": " "}, "Give the prize a name"),
        ({"name": "Cup", "kind": "money"}, "amount"),
        ({"name": "Cup", "listed": "best"}, "not found"),
        ({"name": "Cup", "place": 0}, "of 1 or more"),
    ],
)
def test_invalid_prize_is_refused(prize, text: str) -> None:
    event, user = evenings.create_event(2)
    with pytest.raises(StageRefused, match=text):
        scoring.services.set_prizes(event=event, prizes=[prize], by=user)


def test_ineligible_entries_do_not_count_for_other_prize_places() -> None:
    session, user = evenings.play_session(6)
    event = session.event
    scoring.services.set_entry_profiles(
        event=event,
        profiles_by_number={1: {"tags": ["no prize"]}, 2: {"tags": ["no prize"]}},
        by=user,
    )
    prizes = [{"name": f"Cup {place}", "listed": "all", "place": place} for place in (1, 5)]
    scoring.services.set_prizes(event=event, prizes=prizes, by=user)
    standings.update_standings(event)
    first, fifth = build_prize_sheet(event).rows
    assert first.entry in (3, 4, 5, 6)
    assert fifth.entry is None
    assert fifth.reason == "Not awarded: only 4 in this list can win it."


def test_seeded_seats_follow_snake_order_over_both_fields() -> None:
    session, user = evenings.seat_session(10)
    seeded_numbers = [3, 1, 4, 10, 5, 9, 2, 6, 8, 7]
    tournaments.services.seat_entries_by_seeds(
        session=session, seeded_entry_numbers=seeded_numbers, by=user
    )
    rank = {number: seed for seed, number in enumerate(seeded_numbers, start=1)}
    sums = {
        side: sorted(
            rank[place.entry.number]
            for place in Place.objects.filter(section__session=session, field=side)
        )
        for side in ("NS", "EW")
    }
    assert sums == {"NS": [1, 4, 5, 8, 9], "EW": [2, 3, 6, 7, 10]}
    act = audit.list_acts(session.event).first()
    hall.history.undo.undo_event_act(event=session.event, act=act, by=user)
    assert [place.entry.number for place in session.sections.get().places.all()] == [
        *range(1, 11)
    ]
    Entry.objects.filter(number=1).update(stays_seated=True)
    tournaments.services.seat_entries_by_seeds(
        session=session, seeded_entry_numbers=seeded_numbers, by=user
    )
    assert Place.objects.get(section__session=session, entry__number=1).field == "NS"
    with pytest.raises(InvalidSeating, match="The list has since changed"):
        tournaments.services.seat_entries_by_seeds(
            session=session, seeded_entry_numbers=seeded_numbers[1:], by=user
        )


@pytest.mark.slow
def test_seeds_require_movement() -> None:
    event, user = evenings.create_event(4)
    with pytest.raises(ActionUnavailable, match="Choose the movement first"):
        tournaments.services.seat_entries_by_seeds(
            session=event.sessions.get(), seeded_entry_numbers=[1, 2, 3, 4], by=user
        )


def create_stratified_event(pairs: int = 4) -> tuple[Event, Any]:
    event, user = evenings.create_event(pairs)
    scoring.services.set_strata(event=event, lines=[("A", ""), ("B", "")], by=user)
    profiles = {number: {"stratum": "AB"[number % 2]} for number in range(1, pairs + 1)}
    scoring.services.set_entry_profiles(event=event, profiles_by_number=profiles, by=user)
    event.refresh_from_db()
    return event, user


def build_visible_standings(ranks: dict[int, int]) -> RankTable:
    """Return standings as a reader may see them, whatever is stored."""
    rows = tuple(
        RankRow(rank, False, entry, str(entry), f"Pair {entry}", Fraction(-rank), None,
                Fraction(), 4)
        for entry, rank in sorted(ranks.items(), key=lambda item: item[1])
    )  # fmt: skip
    field = RankedGroup("A", "", None, rows)
    heading = Heading(club_name="", event_name="", date=date(2026, 3, 10))
    status_fields = {"overall_winners": (), "complete": False, "missing": 2, "version": 1}
    return RankTable(heading=heading, method="plus_minus", fields=(field,), **status_fields)


@pytest.mark.parametrize(
    "ranks", [{1: 1, 2: 2, 3: 3, 4: 4}, {1: 4, 2: 3, 3: 2, 4: 1}, {1: 2, 2: 1, 3: 4, 4: 3}]
)
def test_strata_use_only_standings_visible_to_reader(
    ranks: dict[int, int],
) -> None:
    event, _user = create_stratified_event()
    tables = {
        strata_table.name: strata_table
        for strata_table in build_strata_tables(event, build_visible_standings(ranks))
    }
    ranked_entries = sorted(ranks, key=lambda entry: ranks[entry])
    assert [row.rank_row.entry for row in tables["A"].rows] == ranked_entries
    stratum_b_entries = [entry for entry in ranked_entries if entry % 2]
    assert [(row.rank, row.rank_row.entry) for row in tables["B"].rows] == [
        (place, entry) for place, entry in enumerate(stratum_b_entries, start=1)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("page", ["event", "director_standings", "screen"])
def test_standings_show_leader_of_each_stratum(client: Client, page: str) -> None:
    session, user = evenings.play_session(6)
    event = session.event
    html_before = client.get(reverse("event", args=[event.slug])).content.decode()
    assert "Stratum" not in html_before
    scoring.services.set_strata(event=event, lines=[("A", ""), ("B", "")], by=user)
    profiles = {number: {"stratum": "AB"[number % 2]} for number in range(1, 7)}
    scoring.services.set_entry_profiles(event=event, profiles_by_number=profiles, by=user)
    standings.update_standings(event)
    client.force_login(user)
    html = client.get(reverse(page, args=[event.slug])).content.decode()
    assert html.count("Stratum B") == 1
    assert html.count("Stratum A") == 1
    assert '<caption id="stratum-2">' in html  # the big screen names its pages by them
    whole = client.get(reverse("awards", args=[event.slug])).content.decode()
    rows = 'scope="row"'
    assert whole.count(rows) == 6 + 3  # A contains everyone, B those of B
    assert html.count(rows) == 6 + 3 + 3  # the field, and the first three of each
