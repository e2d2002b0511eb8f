"""Where the two sides of a table say different things, and neither has said yes."""

from clubs.audit import Guest
from scoring.models import Agreement, Outcome, ResultVersion
from scoring.sittings import SeatedSession

Play = tuple[int, int]
"""A sitting and a board."""


def disputed_plays(seated: SeatedSession) -> set[Play]:
    """Name the results that wait for a yes although both sides have typed, and differ.

    A side that puts its own slip right disputes nothing. One query where anything waits.
    """
    waiting = {
        result.pk: play
        for play, result in seated.results.items()
        if result.agreement == Agreement.AWAITED
    }
    if not waiting:
        return set()
    versions = ResultVersion.objects.filter(result__in=waiting).order_by("result", "number")
    said: dict[int, dict[str, tuple[str, str]]] = {}
    for each in versions:
        side = _side(each.by)
        if each.outcome == Outcome.CLEARED or not side:
            said[each.result_id] = {}
        else:
            value = each.mark, each.trump
            said.setdefault(each.result_id, {})[side] = value
    return {waiting[pk] for pk, sides in said.items() if len(set(sides.values())) > 1}


def _side(by: str) -> str:
    """The side of a table that typed on its phone: "NS", "EW"; "" for anybody else."""
    kind, _colon, of = by.partition(":")
    return of.partition("/")[2] if kind == Guest.Kind.TABLE else ""
