"""Bookings: places in order, no person twice, no pair split, and free places are filled."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clubs.evenings.queue import (
    PAIRS,
    PEOPLE_PER_PLACE,
    PLAYERS,
    TABLES,
    Queue,
    QueueBooking,
    QueuePerson,
    QueueRefused,
    accept_booking,
    add_booking,
    cancel_booking,
    decline_booking,
    pair_singles,
    promote_booking,
    remove_person,
)

Step = Callable[[Queue], Queue]
NAMES = [f"p{number}" for number in range(9)]


def booking(key: int, *people: str, host: bool = False) -> QueueBooking:
    return QueueBooking(key, key, tuple(QueuePerson(each) for each in people), is_host=host)


def queue(*bookings: QueueBooking, places: int | None = 2, unit: str = PAIRS) -> Queue:
    made = Queue(places=places, unit=unit)
    for each in bookings:
        made = add_booking(made, each)
    return made


def keys(bookings: tuple[QueueBooking, ...]) -> list[int]:
    return [each.key for each in bookings]


def test_full_is_full_and_the_next_waits_in_order() -> None:
    full = queue(*(booking(n, f"{n}a", f"{n}b") for n in (1, 2, 3, 4)))
    assert (keys(full.placed_bookings), keys(full.waiting_bookings)) == ([1, 2], [3, 4])
    assert keys(cancel_booking(full, 1).placed_bookings) == [2, 3]


def test_a_single_place_goes_past_a_pair_to_the_first_who_fits() -> None:
    waiting = queue(
        booking(1, "ann", "bob"), booking(2, "cat", "dan"), booking(3, "eve", "fay"),
        booking(4, "gus"),
    )  # fmt: skip
    after = remove_person(waiting, "bob")
    assert keys(after.placed_bookings) == [1, 2, 4]
    assert keys(after.waiting_bookings) == [3]


def test_a_closed_queue_moves_nobody_up_and_the_director_does() -> None:
    full = queue(*(booking(n, f"{n}a", f"{n}b") for n in (1, 2, 3)))
    closed = cancel_booking(replace(full, is_closed=True), 1)
    assert (keys(closed.placed_bookings), keys(closed.waiting_bookings)) == ([2], [3])
    assert keys(promote_booking(closed, 3).placed_bookings) == [2, 3]


def test_two_singles_make_a_pair_where_the_earlier_stood() -> None:
    singles = queue(booking(1, "ann"), booking(2, "bob", "cat"), booking(3, "dan"))
    paired = pair_singles(singles, "dan", "ann")
    assert [[p.key for p in b.people] for b in paired.placed_bookings] == [
        ["dan", "ann"],
        ["bob", "cat"],
    ]
    assert paired.placed_bookings[0].key == 1


def test_who_has_a_place_does_not_lose_it_by_taking_a_partner_who_waits() -> None:
    full = queue(booking(1, "ann"), booking(2, "bob"), booking(3, "cat"), places=1)
    with pytest.raises(QueueRefused, match="full"):
        pair_singles(full, "ann", "cat")
    assert keys(full.placed_bookings) == [1, 2]


def test_a_partner_who_declines_leaves_the_other_his_place() -> None:
    asked = add_booking(
        Queue(places=1),
        QueueBooking(1, 1, (QueuePerson("ann"), QueuePerson("bob", accepted=False))),
    )
    assert keys(decline_booking(asked, "bob").placed_bookings) == [1]
    with pytest.raises(QueueRefused, match="accepted"):
        decline_booking(accept_booking(asked, "bob"), "bob")


def test_a_host_takes_no_place_from_anybody_and_fills_an_odd_number() -> None:
    hosted = queue(
        booking(1, "host", host=True), booking(2, "ann"), booking(3, "bob"), places=1
    )
    assert keys(hosted.placed_bookings) == [2, 3, 1]
    assert not hosted.must_host_play()
    assert remove_person(hosted, "ann").must_host_play()


def test_nobody_is_in_one_evening_twice() -> None:
    with pytest.raises(QueueRefused, match="booked"):
        add_booking(queue(booking(1, "ann")), booking(2, "bob", "ann"))
    with pytest.raises(QueueRefused, match="twice"):
        add_booking(Queue(), booking(2, "ann", "ann"))


def acts() -> st.SearchStrategy[Step]:
    people = st.sampled_from(NAMES)
    groups = st.lists(people, min_size=1, max_size=4)
    hosts = st.booleans()

    def _book(key: int, names: list[str], host: bool) -> Step:
        return lambda q: add_booking(q, booking(key, *names, host=host and len(names) == 1))

    return st.one_of(
        st.builds(_book, st.integers(1, 999), groups, hosts),
        st.builds(lambda n: lambda q: remove_person(q, n), people),
        st.builds(lambda a, b: lambda q: pair_singles(q, a, b), people, people),
        st.builds(lambda n: lambda q: cancel_booking(q, n), st.integers(1, 999)),
    )


@given(
    st.lists(acts(), max_size=25),
    st.sampled_from([PAIRS, PLAYERS, TABLES]),
    st.one_of(st.none(), st.integers(0, 3)),
)
def test_whatever_is_done_the_queue_stays_fair(
    steps: list[Step], unit: str, places: int | None
) -> None:
    at = Queue(unit=unit, places=places)
    for step in steps:
        before = at
        try:
            at = step(at)
        except QueueRefused:
            assert at == before
            continue
        named = [person.key for each in at.bookings for person in each.people]
        assert len(named) == len(set(named)), "somebody is booked twice"
        if places is not None:
            assert at.used_capacity <= places * PEOPLE_PER_PLACE[unit], (
                "more places were given than there are"
            )
        guests = [each for each in at.waiting_bookings if not each.is_host]
        free = at.free_capacity
        assert not [b for b in guests if b.size <= free and b.size <= 2], "a place stands empty"
        stayed = {b.key for b in before.placed_bookings} & {b.key for b in at.bookings}
        assert stayed <= {b.key for b in at.placed_bookings}, "somebody lost a place"
