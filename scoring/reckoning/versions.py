"""Versions of the standings: stored at the close of a session, and again after a correction."""

from collections import defaultdict
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from clubs import audit
from scoring.models import Ranking, ResultVersion, Ruling, Standing, StandingsVersion
from scoring.reckoning.closings import first_closings
from tournaments.models import Event, Session

RANK_COLUMNS = (
    *("section", "field", "label", "rank", "tied", "score", "percent"),
    *("tricks", "boards", "penalty", "carried", "wins_overall"),
)

_REASONS = {None: StandingsVersion.Reason.CLOSED, 0: StandingsVersion.Reason.PENALTY}


@transaction.atomic
def keep(event: Event) -> StandingsVersion | None:
    """Store the standings as last computed as a version; None if there is nothing new to store.

    They are stored when a session is closed and none is open. Unchanged standings make no new
    version, so the function is idempotent.
    """
    states = set(Session.objects.filter(event=event).values_list("state", flat=True))
    if Session.State.OPEN in states or Session.State.CLOSED not in states:
        return None
    # Two workers may compute the same event at once.
    ranking = Ranking.objects.select_for_update().get(event=event)
    standings = list(ranking.standings.select_related("entry"))
    boards: dict[tuple[str, str], set[int]] = defaultdict(set)
    for each in standings:
        boards[each.section, each.field].add(each.boards)
    rows = [
        _row(each, by_board=len(boards[each.section, each.field]) > 1) for each in standings
    ]
    last = event.standings_versions.last()
    if last is not None and rows in (last.rows, _without_overall_winner(last.rows)):
        return None
    board, by, at = _why(event, last.made_at if last else None)
    return StandingsVersion.objects.create(
        event=event,
        number=last.number + 1 if last else 1,
        rows=rows,
        reason=_REASONS.get(board, StandingsVersion.Reason.BOARD),
        board=board or None,
        made_by=by,
        made_at=at,
    )


def _without_overall_winner(rows: list[dict[str, object]]) -> list[dict[str, object]]:
    """Return the rows as they are while the overall winner awaits a further session."""
    return [row | {"wins_overall": False} for row in rows]


def _row(standing: Standing, *, by_board: bool) -> dict[str, object]:
    figures = {name: getattr(standing, name) for name in RANK_COLUMNS}
    if standing.a_board and by_board:  # stored if the field is ranked by it
        figures["a_board"] = standing.a_board
    if standing.corrected:
        figures["corrected"] = standing.corrected
    return figures | {"entry": standing.entry.number, "name": standing.entry.name}


def _why(event: Event, since: datetime | None) -> tuple[int | None, str, datetime]:
    """Find the cause of the new standings: a closing, or the last correction after it.

    Returns the corrected board (0 for a penalty, None for a closing), the author and the time.
    The closing of a further session takes precedence over corrections.
    """
    closings = first_closings(event)
    if since is not None and all(at <= since for at in closings.values()):
        found = _corrections(event, since)
        if found:
            at, by, board = max(found)
            return board, by, at
    closed = audit.history(event).filter(action="session.closed").first()
    if closed is None:
        return None, "", timezone.now()
    return None, closed.by, closed.at


def _corrections(event: Event, since: datetime) -> list[tuple[datetime, str, int]]:
    """List the time, author and board of each correction; the board of a penalty is 0."""
    entered = ResultVersion.objects.filter(
        result__sitting__section__session__event=event, at__gt=since
    ).values_list("at", "by", "result__board")
    rulings = Ruling.objects.filter(session__event=event)
    made = rulings.filter(made_at__gt=since).values_list("made_at", "made_by", "result__board")
    taken = rulings.filter(withdrawn_at__gt=since).values_list(
        "withdrawn_at", "withdrawn_by", "result__board"
    )
    rows = [*entered, *made, *taken]
    return [(at, by, board or 0) for at, by, board in rows if at is not None]
