"""Analysis of recorded plays: the tricks of best play from each trick on."""

from contextlib import suppress

from boards import solver
from scoring.models import PlayRecord


def analyse(record: PlayRecord) -> None:
    """Store the best play from the deal and after each trick, unless it is stored already.

    Without the solver it does nothing.
    """
    if not record.best:
        with suppress(solver.SolverMissing):
            record.best = solver.tricks_in_play(record.as_play())
            record.save(update_fields=["best"])
