"""Analysis of play records: the tricks of best play after each trick."""

from contextlib import suppress

from boards import solver
from scoring.models import PlayRecord


def store_best_play(record: PlayRecord) -> None:
    """Store the result of best play from the deal and after each trick, unless already
    stored.

    Without a solver it does nothing.
    """
    if not record.best:
        with suppress(solver.SolverMissing):
            record.best = solver.compute_tricks_in_play(record.to_play())
            record.save(update_fields=["best"])
