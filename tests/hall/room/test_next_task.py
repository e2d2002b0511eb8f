"""The first item on Tonight: its priority, tested in every state of a session."""

from itertools import product

import pytest

from hall.room.next_task import NextTask, OpenTasks, choose_next_task

# Each kind of pending item, by priority; the last one is the default.
TASKS_BY_PRIORITY = (
    (NextTask.ANSWER_CALL, lambda item: item.call_count > 0),
    (NextTask.CHECK_SWAPPED_SIDES, lambda item: item.swapped_sides_count > 0),
    (NextTask.CALL_NEXT_ROUND, lambda item: item.is_round_over),
    (NextTask.CHECK_RESULT, lambda item: item.results_to_check_count > 0),
    (NextTask.ENTER_EARLIER_RESULT, lambda item: item.earlier_missing_result_count > 0),
    (NextTask.CLOSE, lambda item: item.missing_result_count == 0),
    (NextTask.BEGIN, lambda item: not item.has_begun),
    (NextTask.ROUND_IN_PLAY, lambda item: True),
)
TASK_COMBINATIONS = [
    OpenTasks(
        "open", calls, wrong_side_count, is_round_over, queries, slips, missing_count, begun
    )
    for calls, wrong_side_count, is_round_over, queries, slips, missing_count, begun in product(
        (0, 1, 3), (0, 1), (False, True), (0, 2), (0, 1), (0, 9), (False, True)
    )
]


def test_first_applicable_task_is_chosen() -> None:
    assert len(TASK_COMBINATIONS) == 192
    for room in TASK_COMBINATIONS:
        acts = [act for act, is_applicable in TASKS_BY_PRIORITY if is_applicable(room)]
        assert choose_next_task(room) == acts[0], room
    assert {choose_next_task(room) for room in TASK_COMBINATIONS} == {
        act for act, _is_applicable in TASKS_BY_PRIORITY
    }


@pytest.mark.parametrize(
    ("room", "act"),
    [
        (OpenTasks("planned", call_count=1, missing_result_count=0), NextTask.PREPARE),
        (OpenTasks("closed", call_count=1, results_to_check_count=2), NextTask.SESSION_CLOSED),
        (
            OpenTasks(
                "open",
                call_count=1,
                swapped_sides_count=1,
                is_round_over=True,
                results_to_check_count=1,
            ),
            NextTask.ANSWER_CALL,
        ),
        (
            OpenTasks(
                "open",
                swapped_sides_count=1,
                is_round_over=True,
                results_to_check_count=1,
                missing_result_count=4,
            ),
            NextTask.CHECK_SWAPPED_SIDES,
        ),
        (
            OpenTasks(
                "open",
                is_round_over=True,
                results_to_check_count=1,
                earlier_missing_result_count=1,
                missing_result_count=4,
            ),
            NextTask.CALL_NEXT_ROUND,
        ),
        (
            OpenTasks(
                "open",
                results_to_check_count=1,
                earlier_missing_result_count=1,
                missing_result_count=4,
            ),
            NextTask.CHECK_RESULT,
        ),
        (
            OpenTasks("open", results_to_check_count=1),
            NextTask.CHECK_RESULT,
        ),  # even when all results are in
        (
            OpenTasks("open", earlier_missing_result_count=1, missing_result_count=4),
            NextTask.ENTER_EARLIER_RESULT,
        ),
        (OpenTasks("open"), NextTask.CLOSE),
        (OpenTasks("open", missing_result_count=9, has_begun=False), NextTask.BEGIN),
        (OpenTasks("open", missing_result_count=9), NextTask.ROUND_IN_PLAY),
    ],
    ids=lambda item: str(item) if isinstance(item, NextTask) else "",
)
def test_tasks_follow_the_order_of_an_evening(room: OpenTasks, act: NextTask) -> None:
    assert choose_next_task(room) == act
