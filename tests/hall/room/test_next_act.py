"""The first item on Tonight: the priority, tested in every state of a room."""

from itertools import product

import pytest

from hall.room.next_act import Next, Waiting, next_act

# Each kind of pending item, by priority; the last one is the default.
ORDER = (
    (Next.CALL, lambda it: it.calls > 0),
    (Next.WRONG, lambda it: it.wrong > 0),
    (Next.ROUND, lambda it: it.is_round_over),
    (Next.QUERY, lambda it: it.queries > 0),
    (Next.SLIP, lambda it: it.slips > 0),
    (Next.CLOSE, lambda it: it.missing == 0),
    (Next.BEGIN, lambda it: not it.has_begun),
    (Next.PLAY, lambda it: True),
)
ROOMS = [
    Waiting("open", calls, wrong, over, queries, slips, missing, begun)
    for calls, wrong, over, queries, slips, missing, begun in product(
        (0, 1, 3), (0, 1), (False, True), (0, 2), (0, 1), (0, 9), (False, True)
    )
]


def test_of_all_that_waits_the_first_in_the_order_is_done() -> None:
    assert len(ROOMS) == 192
    for room in ROOMS:
        waiting = [act for act, is_there in ORDER if is_there(room)]
        assert next_act(room) == waiting[0], room
    assert {next_act(room) for room in ROOMS} == {act for act, _is_there in ORDER}


@pytest.mark.parametrize(
    ("room", "act"),
    [
        (Waiting("planned", calls=1, missing=0), Next.PREPARE),
        (Waiting("closed", calls=1, queries=2), Next.OVER),
        (Waiting("open", calls=1, wrong=1, is_round_over=True, queries=1), Next.CALL),
        (Waiting("open", wrong=1, is_round_over=True, queries=1, missing=4), Next.WRONG),
        (Waiting("open", is_round_over=True, queries=1, slips=1, missing=4), Next.ROUND),
        (Waiting("open", queries=1, slips=1, missing=4), Next.QUERY),
        (Waiting("open", queries=1), Next.QUERY),  # even when all results are in
        (Waiting("open", slips=1, missing=4), Next.SLIP),
        (Waiting("open"), Next.CLOSE),
        (Waiting("open", missing=9, has_begun=False), Next.BEGIN),
        (Waiting("open", missing=9), Next.PLAY),
    ],
    ids=lambda it: str(it) if isinstance(it, Next) else "",
)
def test_the_order_is_that_of_a_night(room: Waiting, act: Next) -> None:
    assert next_act(room) == act
