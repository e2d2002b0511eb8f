"""The work itself: what best play would have made from each trick of a recorded play on."""

from boards import solver
from scoring.models import PlayRecord


def analyse(record: PlayRecord) -> None:
    """Store best play from the deal and after each trick; found already, it stays."""
    if not record.best:
        record.best = solver.tricks_in_play(record.as_play())
        record.save(update_fields=["best"])
