"""The first item on Tonight: the priority, tested in every state of a room."""

from itertools import product

import pytest

from hall.room.next_task import NextTask, OpenTasks, choose_next_task

# Each kind of pending item, by priority; the last one is the default.
ORDER = (
    (NextTask.CALL, lambda item: item.calls > 0),
    (NextTask.WRONG, lambda item: item.wrong_side_count > 0),
    (NextTask.ROUND, lambda item: item.is_round_over),
    (NextTask.QUERY, lambda item: item.queries > 0),
    (NextTask.SLIP, lambda item: item.slips > 0),
    (NextTask.CLOSE, lambda item: item.missing == 0),
    (NextTask.BEGIN, lambda item: not item.has_begun),
    (NextTask.PLAY, lambda item: True),
)
ROOMS = [
    OpenTasks("open", calls, wrong, over, queries, slips, missing, begun)
    for calls, wrong, over, queries, slips, missing, begun in product(
        (0, 1, 3), (0, 1), (False, True), (0, 2), (0, 1), (0, 9), (False, True)
    )
]


def test_of_all_that_waits_the_first_in_the_order_is_done() -> None:
    assert len(ROOMS) == 192
    for room in ROOMS:
        acts = [act for act, is_there in ORDER if is_there(room)]
        assert choose_next_task(room) == acts[0], room
    assert {choose_next_task(room) for room in ROOMS} == {act for act, _is_there in ORDER}


@pytest.mark.parametrize(
    ("room", "act"),
    [
        (OpenTasks("planned", calls=1, missing=0), NextTask.PREPARE),
        (OpenTasks("closed", calls=1, queries=2), NextTask.OVER),
        (
            OpenTasks("open", calls=1, wrong_side_count=1, is_round_over=True, queries=1),
            NextTask.CALL,
        ),
        (
            OpenTasks("open", wrong_side_count=1, is_round_over=True, queries=1, missing=4),
            NextTask.WRONG,
        ),
        (OpenTasks("open", is_round_over=True, queries=1, slips=1, missing=4), NextTask.ROUND),
        (OpenTasks("open", queries=1, slips=1, missing=4), NextTask.QUERY),
        (OpenTasks("open", queries=1), NextTask.QUERY),  # even when all results are in
        (OpenTasks("open", slips=1, missing=4), NextTask.SLIP),
        (OpenTasks("open"), NextTask.CLOSE),
        (OpenTasks("open", missing=9, has_begun=False), NextTask.BEGIN),
        (OpenTasks("open", missing=9), NextTask.PLAY),
    ],
    ids=lambda item: str(item) if isinstance(item, NextTask) else "",
)
def test_the_order_is_that_of_a_night(room: OpenTasks, act: NextTask) -> None:
    assert choose_next_task(room) == act
