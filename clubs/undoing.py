"""Which acts of a history can be taken back now: the last of each thing, and undoings again."""

from collections.abc import Iterable

from clubs.models import Act


def standing(acts: Iterable[Act]) -> set[int]:
    """Find the acts that can be taken back, by their keys; `acts` come newest first.

    What was done to one thing goes back in turn, the last first, so that each step leads to
    what really stood there. An act that was taken back is out of the way of those before it;
    the undoing itself can be taken back until something new is done.
    """
    acts = list(acts)
    undoings = _undoings(acts)
    found: set[int] = set()
    gone: set[int] = set()  # acts that were taken back
    newer: set[str] = set()  # what anything newer was about
    covered: set[str] = set()  # what a newer act that stands was about
    for act in acts:
        if not act.back or act.pk in gone:
            continue
        about = set(act.back["about"])
        waits = about | set(act.back["waits_for"])
        if act.undoes_id is not None:
            gone.add(act.undoes_id)
        if act.back["call"] and not waits & (newer if act.pk in undoings else covered):
            found.add(act.pk)
        if act.pk not in undoings:
            covered |= about
        newer |= about
    return found


def _undoings(acts: list[Act]) -> set[int]:
    """The acts that took another back; what takes an undoing back is an act like any other."""
    found: set[int] = set()
    for act in reversed(acts):
        if act.undoes_id is not None and act.undoes_id not in found:
            found.add(act.pk)
    return found
