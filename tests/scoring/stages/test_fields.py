"""Seeds, strata, tags and prizes of an event, and seats by seeds."""

import pytest

import hall.history.undo
import scoring.services
import tournaments.services
from clubs import audit
from scoring.errors import StageRefused
from scoring.models import EntryProfile, EventPrize, Strata
from scoring.reckoning.order import strata_of
from tests import evenings
from tournaments.errors import NotNow, SeatingRefused
from tournaments.models import Entry, Place

pytestmark = pytest.mark.django_db


def test_a_stratum_follows_from_ratings_unless_it_is_given_by_hand() -> None:
    event, user = evenings.event(4)
    scoring.services.settle_strata(
        event=event, lines=[("A", "1800"), ("B", "1500"), ("C", "")], rule="mean", by=user
    )
    scoring.services.profile_entries(
        event=event,
        profiles={
            1: {"ratings": ["1900", "1750"], "seed": 2},
            2: {"ratings": ["1400"], "tags": ["Mixed", "mixed "]},
            3: {"ratings": ["1400"], "stratum": "A"},
        },
        by=user,
    )
    event.refresh_from_db()
    assert strata_of(event) == {1: "A", 2: "C", 3: "A", 4: "C"}
    assert EntryProfile.objects.get(entry__number=2).tags == ["mixed"]
    with pytest.raises(StageRefused, match="the seed 2"):
        scoring.services.profile_entries(event=event, profiles={4: {"seed": 2}}, by=user)
    with pytest.raises(StageRefused, match="no rating"):
        scoring.services.profile_entries(event=event, profiles={4: {"ratings": ["x"]}}, by=user)


def test_strata_profiles_and_prizes_go_back() -> None:
    event, user = evenings.event(2)
    scoring.services.settle_strata(event=event, lines=[("A", ""), ("B", "")], by=user)
    scoring.services.profile_entries(event=event, profiles={1: {"seed": 1}}, by=user)
    prizes = [{"name": "Cup", "listed": "all"}, {"name": "Purse", "kind": "money", "value": 5}]
    scoring.services.settle_prizes(event=event, prizes=prizes, by=user)
    scoring.services.settle_prizes(event=event, prizes=prizes, by=user)
    acts = audit.history(event)
    assert acts.filter(action="prizes.settled").count() == 1
    for action in ("strata.settled", "entries.profiled", "prizes.settled"):
        act = acts.filter(action=action).first()
        hall.history.undo.take_back(event=event, act=act, by=user)
    assert not Strata.objects.exists()
    assert not EventPrize.objects.exists()
    assert EntryProfile.objects.get().seed is None


@pytest.mark.parametrize(
    ("lines", "rule", "words"),
    [
        ([("A", "")], "hand", "2 to 6 strata"),
        ([("A", ""), ("a", "")], "hand", "a name of its own"),
        ([("A", "5"), ("B", "9")], "mean", "highest to the lowest"),
        ([("A", "5"), ("B", "1")], "best", "what places"),
    ],
)
def test_strata_that_cannot_be_are_refused(lines, rule: str, words: str) -> None:
    event, user = evenings.event(2)
    with pytest.raises(StageRefused, match=words):
        scoring.services.settle_strata(event=event, lines=lines, rule=rule, by=user)


@pytest.mark.parametrize(
    ("prize", "words"),
    [
        ({"name": " "}, "no name"),
        ({"name": "Cup", "kind": "money"}, "worth"),
        ({"name": "Cup", "listed": "best"}, "no list"),
        ({"name": "Cup", "place": 0}, "from 1 on"),
    ],
)
def test_a_prize_that_cannot_be_is_refused(prize, words: str) -> None:
    event, user = evenings.event(2)
    with pytest.raises(StageRefused, match=words):
        scoring.services.settle_prizes(event=event, prizes=[prize], by=user)


def test_seats_by_seeds_are_a_snake_over_both_lines() -> None:
    session, user = evenings.seated(10)
    order = [3, 1, 4, 10, 5, 9, 2, 6, 8, 7]
    tournaments.services.seat_by_seeds(session=session, order=order, by=user)
    rank = {number: seed for seed, number in enumerate(order, start=1)}
    sums = {
        side: sorted(
            rank[place.entry.number]
            for place in Place.objects.filter(section__session=session, field=side)
        )
        for side in ("NS", "EW")
    }
    assert sums == {"NS": [1, 4, 5, 8, 9], "EW": [2, 3, 6, 7, 10]}
    act = audit.history(session.event).first()
    hall.history.undo.take_back(event=session.event, act=act, by=user)
    assert [place.entry.number for place in session.sections.get().places.all()] == [
        *range(1, 11)
    ]
    Entry.objects.filter(number=1).update(stays_seated=True)
    tournaments.services.seat_by_seeds(session=session, order=order, by=user)
    assert Place.objects.get(section__session=session, entry__number=1).field == "NS"
    with pytest.raises(SeatingRefused, match="entered or removed"):
        tournaments.services.seat_by_seeds(session=session, order=order[1:], by=user)


def test_seeds_need_a_movement() -> None:
    event, user = evenings.event(4)
    with pytest.raises(NotNow, match="Choose a movement first"):
        tournaments.services.seat_by_seeds(
            session=event.sessions.get(), order=[1, 2, 3, 4], by=user
        )
