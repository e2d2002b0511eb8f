"""Analysis of play records: the tricks of best play after each trick."""

from contextlib import suppress

from boards import solver
from scoring.models import PlayRecord


def store_best_play(play_record: PlayRecord) -> None:
    """Compute and store the tricks of best play at the start and after each trick.

    Does nothing if the result is already stored or no solver is installed.
    """
    if not play_record.best:
        with suppress(solver.SolverMissing):
            play_record.best = solver.compute_tricks_in_play(play_record.build_play())
            play_record.save(update_fields=["best"])
