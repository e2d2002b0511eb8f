"""The history of an event or a club: all changes, each with its undo form."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from boards.whist import Declaration
from clubs import audit
from clubs.models import Act, Club
from hall.history.act_words import format_act, format_source, format_values
from hall.history.undo_forms import (
    UndoForm,
    build_club_undos,
    build_event_undos,
    build_version_undo,
    list_undo_refusals,
)
from scoring.models import Outcome, ResultVersion
from tournaments.models import Event
from tournaments.movements.formatting import format_table
from tournaments.place_labels import load_section_letters
from tournaments.visits import Visit

MAX_CLUB_CHANGES = 500
"""The maximum number of changes that the history page of a club shows."""

CHANGE_KINDS = ("act", "entry")
ChangeMoment = tuple[datetime, str, int]
"""The time of a change, its kind ("act", or "entry" for a result), and its row's key."""


@dataclass(frozen=True, slots=True)
class Change:
    """One row of the history page."""

    at: datetime
    by: str
    text: str
    before: str
    after: str
    via: str
    undo: UndoForm | None = None  # the form that undoes it, if possible
    undo_target: str = ""  # the restored value if there are later changes
    no_undo_reason: str = ""  # why it cannot be undone, or not yet


def list_moments(event: Event) -> list[ChangeMoment]:
    """Return the times of all changes of an event and its results, newest first."""
    acts = audit.list_acts(event).values_list("at", "pk")
    entry_times_and_pks = _query_versions(event).values_list("at", "pk")
    moments = [(moment, "act", pk) for moment, pk in acts] + [
        (moment, "entry", pk) for moment, pk in entry_times_and_pks
    ]
    return sorted(moments, reverse=True)


def list_changes(
    visit: Visit, chosen_moments: Sequence[ChangeMoment] | None = None
) -> list[Change]:
    """Return the history rows of the chosen changes, or of all changes, newest first."""
    event = visit.event
    chosen_moments = list_moments(event) if chosen_moments is None else chosen_moments
    keys = {
        kind: [pk for _at, change_kind, pk in chosen_moments if change_kind == kind]
        for kind in CHANGE_KINDS
    }
    acts = list(audit.list_acts(event))  # all acts, because undoing one depends on the others
    undo_forms = build_event_undos(visit.address, acts) if visit.is_directed else None
    shown_acts = [act for act in acts if act.pk in set(keys["act"])]
    texts = dict(
        zip(
            (act.pk for act in shown_acts),
            _describe_acts(shown_acts, acts, event, undo_forms),
            strict=True,
        )
    )
    result_changes = _list_result_changes(visit, keys["entry"])
    return [
        texts[pk] if kind == "act" else result_changes[pk] for _at, kind, pk in chosen_moments
    ]


def list_club_changes(club: Club) -> list[Change]:
    """Return the history rows of a club's acts that do not belong to an event, newest first."""
    acts = list(audit.list_acts(club)[:MAX_CLUB_CHANGES])
    return _describe_acts(acts, acts, None, build_club_undos(club, acts))


def _describe_acts(
    shown_acts: Sequence[Act],
    acts: Sequence[Act],
    event: Event | None,
    undo_forms: Mapping[int, UndoForm] | None,
) -> list[Change]:
    """Return the history rows of acts, with the undo forms for users who may undo."""
    reasons = {} if undo_forms is None else list_undo_refusals(acts)
    forms_by_act = undo_forms or {}
    return [
        Change(
            at=act.at,
            by=audit.describe_author(act.by),
            text=format_act(event, act),
            before=format_values(act.before),
            after=format_values(act.after),
            via=format_source(act),
            undo=forms_by_act.get(act.pk),
            no_undo_reason="" if act.pk in forms_by_act else reasons.get(act.pk, ""),
        )
        for act in shown_acts
    ]


def _query_versions(event: Event) -> QuerySet[ResultVersion]:
    return ResultVersion.objects.filter(result__sitting__section__session__event=event)


def _list_result_changes(visit: Visit, keys: Sequence[int]) -> dict[int, Change]:
    """Return the history rows of result versions by key, each with the previous value."""
    results = ResultVersion.objects.filter(pk__in=keys).values("result")
    rows = (
        _query_versions(visit.event)
        .filter(result__in=results)
        .select_related("result__sitting")
    )
    letters = load_section_letters(visit.event)
    by_result: dict[int, list[ResultVersion]] = defaultdict(list)
    for row in rows.order_by("number"):
        by_result[row.result_id].append(row)
    changes = {}
    for versions in by_result.values():
        for before, row in zip([None, *versions], versions, strict=False):
            sitting = row.result.sitting
            table = format_table(sitting.table, letters[sitting.section_id])
            changes[row.pk] = _build_change(visit.address, before, row, versions[-1], table)
    return changes


def _build_change(
    address: str,
    before: ResultVersion | None,
    row: ResultVersion,
    last: ResultVersion,
    table: str,
) -> Change:
    text = _format_tricks(before) if before else _("no result")
    may_undo = last.pk == row.pk or text != _format_tricks(last)
    return Change(
        at=row.at,
        by=audit.describe_author(row.by),
        text=_("Board %(board)s, round %(round)s, table %(table)s")
        % {"board": row.result.board, "round": row.result.sitting.round, "table": table},
        before=_format_tricks(before) if before else "",
        after=_format_tricks(row),
        via=row.get_via_display(),
        undo=build_version_undo(address, row.pk, last.pk) if may_undo else None,
        undo_target="" if last.pk == row.pk else text,
    )


def _format_tricks(version: ResultVersion) -> str:
    if version.outcome == Outcome.PLAYED:
        figures = dict(zip(("ns", "ew"), version.written_score.value_by_side, strict=True))
        if version.trump:
            suit = {"suit": Declaration.parse(version.trump).word}
            return _("%(suit)s, N-S %(ns)s, E-W %(ew)s") % (figures | suit)
        return _("N-S %(ns)s, E-W %(ew)s") % figures
    return _("not played") if version.mark else _("no result")
