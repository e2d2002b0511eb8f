"""Seated people form pairs, and as many as possible keep their place in round 1."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clubs.evenings.first_seats import (
    Chair,
    FormedPair,
    PresentPerson,
    TablePosition,
    assign_places,
    form_pairs,
)

CHAIR_STRATEGY = st.builds(Chair, st.integers(1, 6), st.integers(1, 4))
PLACE_STRATEGY = st.builds(TablePosition, st.integers(1, 3), st.sampled_from(["NS", "EW"]))


@st.composite
def draw_present_people(draw: st.DrawFn) -> list[PresentPerson]:
    """Draw people at some of 24 chairs, a few without a chair, and some booked together."""
    chairs: list[Chair | None] = list(draw(st.sets(CHAIR_STRATEGY, max_size=24)))
    chairs += [None] * draw(st.integers(0, 5))
    keys = draw(st.permutations(range(1, len(chairs) + 1)))
    couples = dict(zip(keys[::2], keys[1::2], strict=False))
    booked_keys = {key for key in couples if draw(st.booleans())}
    partners = {key: couples[key] for key in booked_keys}
    partners |= {partner: key for key, partner in partners.items()}
    return [
        PresentPerson(key, chair, partners.get(key))
        for key, chair in zip(sorted(keys), chairs, strict=True)
    ]


def build_present_people(
    *chairs: tuple[int, int], partner: dict[int, int] | None = None
) -> list[PresentPerson]:
    return [
        PresentPerson(key, Chair(*chair) if chair[0] else None, (partner or {}).get(key))
        for key, chair in enumerate(chairs, start=1)
    ]


@given(draw_present_people())
def test_everyone_gets_one_partner_except_at_most_one_person(hall: list[PresentPerson]) -> None:
    pairing_result = form_pairs(hall)
    people = [key for pair in pairing_result.pairs for key in pair.person_keys]
    unpaired_keys = (
        [pairing_result.unpaired_person_key] if pairing_result.unpaired_person_key else []
    )
    assert sorted(people + unpaired_keys) == sorted(person.person_key for person in hall)
    assert len(unpaired_keys) == len(hall) % 2


@given(draw_present_people())
def test_people_sitting_opposite_each_other_are_partners(hall: list[PresentPerson]) -> None:
    partners = {frozenset(pair.person_keys) for pair in form_pairs(hall).pairs}
    keys_by_chair = {item.chair: item.person_key for item in hall if item.chair}
    for chair, key in keys_by_chair.items():
        if chair.opposite in keys_by_chair:
            assert frozenset({key, keys_by_chair[chair.opposite]}) in partners


@given(draw_present_people())
def test_each_pair_gets_its_own_place_near_one_of_its_chairs(
    hall: list[PresentPerson],
) -> None:
    sides = {
        item.person_key: item.chair
        and TablePosition(item.chair.table_number, "EN"[item.chair.seat_number % 2])
        for item in hall
    }
    pairs = form_pairs(hall).pairs
    places = [pair.place for pair in pairs if pair.place]
    assert len(places) == len(set(places))
    for pair in pairs:
        places_of_people = {
            TablePosition(side.table_number, {"N": "NS", "E": "EW"}[side.position])
            for key in pair.person_keys
            if (side := sides[key])
        }
        assert pair.place in places_of_people if places_of_people else pair.place is None


@given(draw_present_people())
def test_list_order_of_people_does_not_matter(
    hall: list[PresentPerson],
) -> None:
    assert form_pairs(hall) == form_pairs(reversed(hall))


def test_people_who_booked_together_are_paired_before_strangers() -> None:
    formed = form_pairs(
        build_present_people((1, 1), (2, 1), (3, 1), (4, 1), partner={1: 4, 4: 1})
    )
    assert formed.pairs == (
        FormedPair((1, 4), TablePosition(1, "NS")),
        FormedPair((2, 3), TablePosition(2, "NS")),
    )
    assert formed.newly_matched_pairs == (FormedPair((2, 3), TablePosition(2, "NS")),)


def test_person_without_a_chair_joins_a_seated_person() -> None:
    formed = form_pairs(build_present_people((1, 2), (5, 3), (0, 0)))
    assert formed.pairs == (FormedPair((1, 3), TablePosition(1, "EW")),)
    assert formed.unpaired_person_key == 2


def test_people_sitting_next_to_each_other_are_partners() -> None:
    formed = form_pairs(build_present_people((2, 1), (1, 1), (1, 2), (3, 4)))
    assert [pair.person_keys for pair in formed.pairs] == [(2, 3), (1, 4)]


def count_kept_seats(
    wanted_places_by_key: dict[int, TablePosition | None],
    seats: dict[int, TablePosition | None],
) -> tuple[int, int]:
    """Return how many people keep their place, and how many keep their table."""
    keys = [key for key, place in wanted_places_by_key.items() if place and seats[key] == place]
    same_table_keys = [
        key for key, place in wanted_places_by_key.items()
        if place and (new_place := seats[key]) and new_place.table_number == place.table_number
    ]  # fmt: skip
    return len(keys), len(same_table_keys)


@given(st.data())
def test_no_other_assignment_moves_fewer_people(data: st.DataObject) -> None:
    wanted_places = data.draw(st.lists(PLACE_STRATEGY, unique=True, max_size=5))
    expected: dict[int, TablePosition | None] = dict(
        enumerate([*wanted_places, *[None] * data.draw(st.integers(0, 2))])
    )
    free_places = data.draw(
        st.lists(PLACE_STRATEGY, unique=True, min_size=0, max_size=len(expected))
    )
    offered_places = [*free_places, *[None] * (len(expected) - len(free_places))]
    seats = assign_places(expected, offered_places)
    assert sorted(map(str, seats.values())) == sorted(map(str, offered_places))
    other_assignments = (
        dict(zip(expected, place_order, strict=True))
        for place_order in permutations(offered_places)
    )
    best_kept_seat_count = max(
        (count_kept_seats(expected, assignment) for assignment in other_assignments),
        default=(0, 0),
    )
    assert count_kept_seats(expected, seats)[0] == best_kept_seat_count[0]


def test_displaced_pair_stays_at_its_table_if_the_other_side_is_free() -> None:
    expected = {1: TablePosition(1, "NS"), 2: TablePosition(9, "EW"), 3: TablePosition(2, "EW")}
    places = [TablePosition(1, "NS"), TablePosition(1, "EW"), TablePosition(2, "NS")]
    assert assign_places(expected, places) == {
        1: TablePosition(1, "NS"),
        2: TablePosition(1, "EW"),
        3: TablePosition(2, "NS"),
    }


def test_restricted_pair_takes_an_allowed_place_that_no_one_wants() -> None:
    expected = {1: TablePosition(1, "EW"), 2: TablePosition(1, "NS"), 3: None}
    places = [TablePosition(1, "NS"), TablePosition(1, "EW"), TablePosition(2, "NS")]
    seats = assign_places(
        expected, places, {1: {TablePosition(1, "NS"), TablePosition(2, "NS")}}
    )
    assert seats == {
        1: TablePosition(1, "NS"),
        2: TablePosition(1, "EW"),
        3: TablePosition(2, "NS"),
    }
    with pytest.raises(ValueError, match="No allowed place"):
        assign_places(expected, places, {1: set()})


def test_number_of_places_and_people_must_match() -> None:
    with pytest.raises(ValueError, match="2 places for 1"):
        assign_places({1: None}, [None, None])
    with pytest.raises(ValueError, match="same place"):
        assign_places({1: TablePosition(1, "NS"), 2: TablePosition(1, "NS")}, [None, None])
