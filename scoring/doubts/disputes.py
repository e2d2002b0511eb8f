"""Disputed results: the two sides of a table entered different scores, and neither is
confirmed.
"""

from clubs.audit import Guest
from scoring.models import Agreement, Outcome, ResultVersion
from scoring.session_snapshot import SessionSnapshot

PlayKey = tuple[int, int]
"""A sitting and a board."""


def load_disputed_plays(snapshot: SessionSnapshot) -> set[PlayKey]:
    """Return the plays that await confirmation although both sides entered different scores.

    A side that corrects its own entry disputes nothing. Executes one query if any result
    awaits confirmation, else none.
    """
    awaited_plays = {
        result.pk: play
        for play, result in snapshot.results.items()
        if result.agreement == Agreement.AWAITED
    }
    if not awaited_plays:
        return set()
    versions = ResultVersion.objects.filter(result__in=awaited_plays).order_by(
        "result", "number"
    )
    typed_scores: dict[int, dict[str, tuple[str, str]]] = {}
    for version in versions:
        side = _find_entering_side(version.by)
        if version.outcome == Outcome.CLEARED or not side:
            typed_scores[version.result_id] = {}
        else:
            value = version.mark, version.trump
            typed_scores.setdefault(version.result_id, {})[side] = value
    return {
        awaited_plays[pk] for pk, sides in typed_scores.items() if len(set(sides.values())) > 1
    }


def _find_entering_side(by: str) -> str:
    """Return the side whose phone entered a value: "NS" or "EW"; "" for another author."""
    kind, _colon, identifier = by.partition(":")
    return identifier.partition("/")[2] if kind == Guest.Kind.TABLE else ""
