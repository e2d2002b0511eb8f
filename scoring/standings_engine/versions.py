"""Versions of the standings, stored when a session is closed and after each correction."""

from collections import defaultdict
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from clubs import audit
from scoring.models import Ranking, ResultVersion, Ruling, Standing, StandingsVersion
from scoring.standings_engine.closings import load_first_closings
from tournaments.models import Event, Session

RANK_COLUMNS = (
    *("section", "field", "label", "rank", "tied", "score", "percent"),
    *("tricks", "boards", "penalty", "carried", "wins_overall"),
)

_REASON_BY_CORRECTED_BOARD = {
    None: StandingsVersion.Reason.CLOSED,
    0: StandingsVersion.Reason.PENALTY,
}


@transaction.atomic
def store_version(event: Event) -> StandingsVersion | None:
    """Store the standings last computed as a version; return None if they have not changed.

    A version is stored when a session has been closed and none is open. The function is
    idempotent, because unchanged standings make no new version.
    """
    states = set(Session.objects.filter(event=event).values_list("state", flat=True))
    if Session.State.OPEN in states or Session.State.CLOSED not in states:
        return None
    # Two workers may compute the same event at once.
    ranking = Ranking.objects.select_for_update().get(event=event)
    standings = list(ranking.standings.select_related("entry"))
    board_counts_by_field: dict[tuple[str, str], set[int]] = defaultdict(set)
    for standing in standings:
        board_counts_by_field[standing.section, standing.field].add(standing.boards)
    standing_rows = [
        _build_version_row(
            standing,
            is_ranked_per_board=len(board_counts_by_field[standing.section, standing.field])
            > 1,
        )
        for standing in standings
    ]
    last_version = event.standings_versions.last()
    if last_version is not None and standing_rows in (
        last_version.rows,
        _remove_overall_winner(last_version.rows),
    ):
        return None
    board_number, author, changed_at = _find_version_cause(
        event, last_version.made_at if last_version else None
    )
    return StandingsVersion.objects.create(
        event=event,
        number=last_version.number + 1 if last_version else 1,
        rows=standing_rows,
        reason=_REASON_BY_CORRECTED_BOARD.get(board_number, StandingsVersion.Reason.BOARD),
        board=board_number or None,
        made_by=author,
        made_at=changed_at,
    )


def _remove_overall_winner(standing_rows: list[dict[str, object]]) -> list[dict[str, object]]:
    """Return the rows without overall winners, as stored while sessions are still to come."""
    return [version_row | {"wins_overall": False} for version_row in standing_rows]


def _build_version_row(standing: Standing, *, is_ranked_per_board: bool) -> dict[str, object]:
    row_data = {column_name: getattr(standing, column_name) for column_name in RANK_COLUMNS}
    if standing.a_board and is_ranked_per_board:
        row_data["a_board"] = standing.a_board
    if standing.corrected:
        row_data["corrected"] = standing.corrected
    return row_data | {"entry": standing.entry.number, "name": standing.entry.name}


def _find_version_cause(
    event: Event, last_version_at: datetime | None
) -> tuple[int | None, str, datetime]:
    """Return the cause of new standings: a closing, or the last correction after a time.

    The result is the corrected board (0 for a penalty, None for a closing), the author and the
    time. The closing of another session takes precedence over corrections.
    """
    closing_time_by_session = load_first_closings(event)
    if last_version_at is not None and all(
        changed_at <= last_version_at for changed_at in closing_time_by_session.values()
    ):
        corrections = _list_corrections(event, last_version_at)
        if corrections:
            changed_at, author, board_number = max(corrections)
            return board_number, author, changed_at
    closing_act = audit.list_acts(event).filter(action="session.closed").first()
    if closing_act is None:
        return None, "", timezone.now()
    return None, closing_act.by, closing_act.at


def _list_corrections(event: Event, changed_after: datetime) -> list[tuple[datetime, str, int]]:
    """List the time, author and board of each correction; the board of a penalty is 0."""
    versions = ResultVersion.objects.filter(
        result__sitting__section__session__event=event, at__gt=changed_after
    ).values_list("at", "by", "result__board")
    rulings = Ruling.objects.filter(session__event=event)
    made_rulings = rulings.filter(made_at__gt=changed_after).values_list(
        "made_at", "made_by", "result__board"
    )
    withdrawn_rulings = rulings.filter(withdrawn_at__gt=changed_after).values_list(
        "withdrawn_at", "withdrawn_by", "result__board"
    )
    correction_rows = [*versions, *made_rulings, *withdrawn_rulings]
    return [
        (changed_at, author, board_number or 0)
        for changed_at, author, board_number in correction_rows
        if changed_at is not None
    ]
