"""The work itself: what best play would have made from each trick of a recorded play on."""

from contextlib import suppress

from boards import solver
from scoring.models import PlayRecord


def analyse(record: PlayRecord) -> None:
    """Store best play from the deal and after each trick; found already, it stays.

    Without the solver the record has none.
    """
    if not record.best:
        with suppress(solver.SolverMissing):
            record.best = solver.tricks_in_play(record.as_play())
            record.save(update_fields=["best"])
