"""Analysis of play records: the tricks of best play after each trick."""

from contextlib import suppress

from boards import solver
from scoring.models import PlayRecord


def store_best_play(record: PlayRecord) -> None:
    """Compute and store the tricks of best play at the start and after each trick.

    Does nothing if the result is already stored or no solver is installed.
    """
    if not record.best:
        with suppress(solver.SolverMissing):
            record.best = solver.compute_tricks_in_play(record.build_play())
            record.save(update_fields=["best"])
