"""Bookings get places in order: no person twice, no pair split, no place left free."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clubs.evenings.queue import (
    PEOPLE_PER_PLACE,
    UNIT_PAIRS,
    UNIT_PLAYERS,
    UNIT_TABLES,
    InvalidQueueChange,
    Queue,
    QueueBooking,
    QueuePerson,
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


def build_booking(key: int, *people: str, host: bool = False) -> QueueBooking:
    return QueueBooking(key, key, tuple(QueuePerson(person) for person in people), is_host=host)


def build_queue(
    *bookings: QueueBooking, places: int | None = 2, unit: str = UNIT_PAIRS
) -> Queue:
    queue = Queue(place_count=places, place_unit=unit)
    for booking in bookings:
        queue = add_booking(queue, booking)
    return queue


def list_booking_pks(bookings: tuple[QueueBooking, ...]) -> list[int]:
    return [booking.booking_pk for booking in bookings]


def test_bookings_beyond_the_places_wait_in_order() -> None:
    queue = build_queue(*(build_booking(n, f"{n}a", f"{n}b") for n in (1, 2, 3, 4)))
    assert (
        list_booking_pks(queue.placed_bookings),
        list_booking_pks(queue.waiting_bookings),
    ) == (
        [1, 2],
        [3, 4],
    )
    assert list_booking_pks(cancel_booking(queue, 1).placed_bookings) == [2, 3]


def test_single_free_place_skips_a_pair_for_the_first_single() -> None:
    queue = build_queue(
        build_booking(1, "ann", "bob"),
        build_booking(2, "cat", "dan"),
        build_booking(3, "eve", "fay"),
        build_booking(4, "gus"),
    )
    queue_after_removal = remove_person(queue, "bob")
    assert list_booking_pks(queue_after_removal.placed_bookings) == [1, 2, 4]
    assert list_booking_pks(queue_after_removal.waiting_bookings) == [3]


def test_closed_queue_moves_no_one_up_except_by_the_director() -> None:
    queue = build_queue(*(build_booking(n, f"{n}a", f"{n}b") for n in (1, 2, 3)))
    closed_queue = cancel_booking(replace(queue, is_closed=True), 1)
    assert (
        list_booking_pks(closed_queue.placed_bookings),
        list_booking_pks(closed_queue.waiting_bookings),
    ) == ([2], [3])
    assert list_booking_pks(promote_booking(closed_queue, 3).placed_bookings) == [2, 3]


def test_paired_singles_take_the_position_of_the_earlier_booking() -> None:
    queue = build_queue(
        build_booking(1, "ann"), build_booking(2, "bob", "cat"), build_booking(3, "dan")
    )
    paired_queue = pair_singles(queue, "dan", "ann")
    assert [[p.key for p in b.people] for b in paired_queue.placed_bookings] == [
        ["dan", "ann"],
        ["bob", "cat"],
    ]
    assert paired_queue.placed_bookings[0].booking_pk == 1


def test_placed_single_cannot_pair_with_a_waiting_one_when_full() -> None:
    queue = build_queue(
        build_booking(1, "ann"), build_booking(2, "bob"), build_booking(3, "cat"), places=1
    )
    with pytest.raises(InvalidQueueChange, match="full"):
        pair_singles(queue, "ann", "cat")
    assert list_booking_pks(queue.placed_bookings) == [1, 2]


def test_declining_partner_leaves_the_other_in_place() -> None:
    booking = add_booking(
        Queue(place_count=1),
        QueueBooking(1, 1, (QueuePerson("ann"), QueuePerson("bob", has_accepted=False))),
    )
    assert list_booking_pks(decline_booking(booking, "bob").placed_bookings) == [1]
    with pytest.raises(InvalidQueueChange, match="accepted"):
        decline_booking(accept_booking(booking, "bob"), "bob")


def test_host_takes_no_place_and_completes_an_odd_number() -> None:
    queue_with_host = build_queue(
        build_booking(1, "host", host=True),
        build_booking(2, "ann"),
        build_booking(3, "bob"),
        places=1,
    )
    assert list_booking_pks(queue_with_host.placed_bookings) == [2, 3, 1]
    assert not queue_with_host.must_host_play()
    assert remove_person(queue_with_host, "ann").must_host_play()


def test_person_cannot_be_booked_twice_for_one_evening() -> None:
    with pytest.raises(InvalidQueueChange, match="booked"):
        add_booking(build_queue(build_booking(1, "ann")), build_booking(2, "bob", "ann"))
    with pytest.raises(InvalidQueueChange, match="twice"):
        add_booking(Queue(), build_booking(2, "ann", "ann"))


def draw_steps() -> st.SearchStrategy[Step]:
    people = st.sampled_from(NAMES)
    groups = st.lists(people, min_size=1, max_size=4)
    host_flags = st.booleans()

    def build_booking_step(key: int, names: list[str], host: bool) -> Step:
        return lambda q: add_booking(
            q, build_booking(key, *names, host=host and len(names) == 1)
        )

    return st.one_of(
        st.builds(build_booking_step, st.integers(1, 999), groups, host_flags),
        st.builds(lambda n: lambda q: remove_person(q, n), people),
        st.builds(lambda a, b: lambda q: pair_singles(q, a, b), people, people),
        st.builds(lambda n: lambda q: cancel_booking(q, n), st.integers(1, 999)),
    )


@given(
    st.lists(draw_steps(), max_size=25),
    st.sampled_from([UNIT_PAIRS, UNIT_PLAYERS, UNIT_TABLES]),
    st.one_of(st.none(), st.integers(0, 3)),
)
def test_queue_stays_fair_after_any_steps(
    steps: list[Step], unit: str, places: int | None
) -> None:
    queue = Queue(place_unit=unit, place_count=places)
    for step in steps:
        queue_before = queue
        try:
            queue = step(queue)
        except InvalidQueueChange:
            assert queue == queue_before
            continue
        keys = [person.key for booking in queue.bookings for person in booking.people]
        assert len(keys) == len(set(keys)), "somebody is booked twice"
        if places is not None:
            assert queue.used_capacity <= places * PEOPLE_PER_PLACE[unit], (
                "more places were given than there are"
            )
        guests = [
            waiting_booking
            for waiting_booking in queue.waiting_bookings
            if not waiting_booking.is_host
        ]
        free_capacity = queue.free_capacity
        assert not [
            b for b in guests if b.person_count <= free_capacity and b.person_count <= 2
        ], "a place stands empty"
        remaining_pks = {b.booking_pk for b in queue_before.placed_bookings} & {
            b.booking_pk for b in queue.bookings
        }
        assert remaining_pks <= {b.booking_pk for b in queue.placed_bookings}, (
            "someone lost a place"
        )
