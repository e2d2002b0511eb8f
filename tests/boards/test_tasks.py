"""Tasks take a number and are known to a worker by name."""

from boards import tasks


def test_a_worker_knows_the_tasks_of_boards():
    assert tasks.make_boards.name == "boards.tasks.make_boards"
    assert tasks.analyse_boards.name == "boards.tasks.analyse_boards"
