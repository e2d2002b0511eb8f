"""Disputed results: the two sides of a table entered different scores for one board, and no one
has confirmed either score.
"""

from clubs.audit import GuestAuthor
from scoring.models import Agreement, Outcome, ResultVersion
from scoring.session_snapshot import SessionSnapshot

PlayKey = tuple[int, int]
"""The key of a sitting, and a board."""


def load_disputed_plays(snapshot: SessionSnapshot) -> set[PlayKey]:
    """Return the unconfirmed plays for which the two sides entered different scores.

    A side that corrects its own entry does not start a dispute. Executes one query if any
    result awaits confirmation, else none.
    """
    unconfirmed_play_key_by_result = {
        result.pk: play_key
        for play_key, result in snapshot.results_by_play.items()
        if result.agreement == Agreement.AWAITED
    }
    if not unconfirmed_play_key_by_result:
        return set()
    versions = ResultVersion.objects.filter(result__in=unconfirmed_play_key_by_result).order_by(
        "result", "number"
    )
    side_scores_by_result: dict[int, dict[str, tuple[str, str]]] = {}
    for version in versions:
        side = _find_entering_side(version.by)
        if version.outcome == Outcome.CLEARED or not side:
            side_scores_by_result[version.result_id] = {}
        else:
            mark_and_trump = version.mark, version.trump
            side_scores_by_result.setdefault(version.result_id, {})[side] = mark_and_trump
    return {
        unconfirmed_play_key_by_result[result_pk]
        for result_pk, scores_by_side in side_scores_by_result.items()
        if len(set(scores_by_side.values())) > 1
    }


def _find_entering_side(entered_by: str) -> str:
    """Return the side whose phone entered a score: "NS" or "EW"; "" for another author.

    `entered_by` is an author key from the history.
    """
    author_kind, _colon, identifier = entered_by.partition(":")
    return identifier.partition("/")[2] if author_kind == GuestAuthor.Kind.TABLE else ""
