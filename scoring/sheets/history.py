"""The history of an event or a club: every change, and what takes it back."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from scoring.models import Outcome, ResultVersion, mark
from scoring.sheets.acts import value_of_act, way_of_act, words_of_act
from scoring.sheets.undoing import (
    WayBack,
    club_ways_back,
    event_ways_back,
    reasons_to_stand,
    version_way_back,
)
from tournaments import audit
from tournaments.models import AuditEntry, Club, Event

MOST = 500
"""How many changes a page lists."""


@dataclass(frozen=True, slots=True)
class Change:
    """One line of a history."""

    at: datetime
    by: str
    text: str
    before: str
    after: str
    via: str
    undo: WayBack | None = None  # the form that takes it back, where it can be
    back_to: str = ""  # what undoing puts back where more has been changed since
    stands: str = ""  # why it cannot be taken back, or not yet


def changes(event: Event, most: int = MOST) -> list[Change]:
    """List what was done to an event and its results, newest first."""
    told = list(audit.history(event)[:most])
    back = event_ways_back(event, told) if event.is_directed else None
    found = [*_told(told, event, back), *_entered(event, most)]
    return sorted(found, key=lambda change: change.at, reverse=True)[:most]


def club_changes(club: Club, most: int = MOST) -> list[Change]:
    """List what was done to a club besides its events, newest first."""
    told = list(audit.club_history(club)[:most])
    return _told(told, None, club_ways_back(club, told))


def _told(
    acts: Sequence[AuditEntry], event: Event | None, back: Mapping[int, WayBack] | None
) -> list[Change]:
    """Put acts into words, with their ways back for whom may use them."""
    reasons = {} if back is None else reasons_to_stand(acts)
    ways = back or {}
    return [
        Change(
            at=act.at,
            by=act.by,
            text=words_of_act(event, act),
            before=value_of_act(act, act.before),
            after=value_of_act(act, act.after),
            via=way_of_act(act),
            undo=ways.get(act.pk),
            stands="" if act.pk in ways else reasons.get(act.pk, ""),
        )
        for act in acts
    ]


def _entered(event: Event, most: int) -> Iterable[Change]:
    """The values entered for results, each with the one before it."""
    versions = ResultVersion.objects.filter(
        result__sitting__section__session__event=event
    ).select_related("result__sitting")
    rows = list(versions.order_by("-id")[:most])
    earlier: dict[tuple[int, int], ResultVersion] = {}
    numbers = defaultdict(set)
    for row in rows:
        numbers[row.result_id].add(row.number - 1)
    for row in versions.filter(
        result_id__in=numbers, number__in={n for s in numbers.values() for n in s}
    ):
        earlier[row.result_id, row.number] = row
    latest: dict[int, ResultVersion] = {}
    for row in rows:
        before = earlier.get((row.result_id, row.number - 1))
        last = latest.setdefault(row.result_id, row)
        wanted = _tricks(before) if before else _("cleared")
        may_undo = last.pk == row.pk or wanted != _tricks(last)
        sitting = row.result.sitting
        yield Change(
            at=row.at,
            by=row.by,
            text=_("Board %(board)s, round %(round)s, table %(table)s")
            % {"board": row.result.board, "round": sitting.round, "table": sitting.table},
            before=_tricks(before) if before else "",
            after=_tricks(row),
            via=row.get_via_display(),
            undo=version_way_back(event, row.pk, last.pk) if may_undo else None,
            back_to="" if last.pk == row.pk else wanted,
        )


def _tricks(version: ResultVersion) -> str:
    if version.outcome == Outcome.PLAYED and version.ns_tricks is not None:
        return _("N-S %(ns)s, E-W %(ew)s") % {
            "ns": version.ns_tricks,
            "ew": 13 - version.ns_tricks,
        }
    return _("not played") if mark(version.outcome, version.ns_tricks) else _("cleared")
