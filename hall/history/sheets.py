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
    build_club_undo_forms,
    build_event_undo_forms,
    build_version_undo_form,
    map_no_undo_reasons,
)
from scoring.models import Outcome, ResultVersion
from tournaments.event_access import EventAccess
from tournaments.models import Event
from tournaments.movements.formatting import format_table
from tournaments.place_labels import load_section_letters

MAX_CLUB_CHANGES = 500
"""The maximum number of changes that the history page of a club shows."""

CHANGE_KINDS = ("act", "entry")
ChangeKey = tuple[datetime, str, int]
"""The time of a change, its kind ("act", or "entry" for a result), and its primary key."""


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """One row of the history page."""

    at: datetime
    by: str
    text: str
    before: str
    after: str
    via: str  # the source of the change: "API"
    undo: UndoForm | None = None  # the form that undoes the change, if possible
    restored_value_text: str = ""  # the value that an undo restores, if there are later changes
    no_undo_reason: str = ""  # the reason why the change cannot be undone now


def list_change_keys(event: Event) -> list[ChangeKey]:
    """Return the keys of all changes of an event and its results, newest first."""
    acts = audit.list_acts(event).values_list("at", "pk")
    version_times_and_pks = _query_versions(event).values_list("at", "pk")
    change_keys = [(changed_at, "act", pk) for changed_at, pk in acts] + [
        (changed_at, "entry", pk) for changed_at, pk in version_times_and_pks
    ]
    return sorted(change_keys, reverse=True)


def list_changes(
    access: EventAccess, chosen_keys: Sequence[ChangeKey] | None = None
) -> list[HistoryRow]:
    """Return the history rows of the chosen changes, or of all changes, newest first."""
    event = access.event
    chosen_keys = list_change_keys(event) if chosen_keys is None else chosen_keys
    pks_by_kind = {
        kind: [pk for _changed_at, change_kind, pk in chosen_keys if change_kind == kind]
        for kind in CHANGE_KINDS
    }
    acts = list(audit.list_acts(event))  # all acts, because undoing one depends on the others
    undo_forms_by_act = (
        build_event_undo_forms(access.address, acts) if access.can_direct else None
    )
    shown_acts = [act for act in acts if act.pk in set(pks_by_kind["act"])]
    act_changes_by_pk = dict(
        zip(
            (act.pk for act in shown_acts),
            _describe_acts(shown_acts, acts, event, undo_forms_by_act),
            strict=True,
        )
    )
    result_changes_by_pk = _list_result_changes(access, pks_by_kind["entry"])
    return [
        act_changes_by_pk[pk] if kind == "act" else result_changes_by_pk[pk]
        for _changed_at, kind, pk in chosen_keys
    ]


def list_club_changes(club: Club) -> list[HistoryRow]:
    """Return the history rows of a club's acts that do not belong to an event, newest first."""
    acts = list(audit.list_acts(club)[:MAX_CLUB_CHANGES])
    return _describe_acts(acts, acts, None, build_club_undo_forms(club, acts), club.currency)


def _describe_acts(
    shown_acts: Sequence[Act],
    all_acts: Sequence[Act],
    event: Event | None,
    undo_forms_by_act: Mapping[int, UndoForm] | None,
    currency: str = "",
) -> list[HistoryRow]:
    """Return the history rows of acts, with the undo forms for users who may undo."""
    no_undo_reasons_by_act = {} if undo_forms_by_act is None else map_no_undo_reasons(all_acts)
    forms_by_act = undo_forms_by_act or {}
    return [
        HistoryRow(
            at=act.at,
            by=audit.describe_author(act.by),
            text=format_act(event, act),
            before=format_values(act.before, currency),
            after=format_values(act.after, currency),
            via=format_source(act),
            undo=forms_by_act.get(act.pk),
            no_undo_reason=""
            if act.pk in forms_by_act
            else no_undo_reasons_by_act.get(act.pk, ""),
        )
        for act in shown_acts
    ]


def _query_versions(event: Event) -> QuerySet[ResultVersion]:
    return ResultVersion.objects.filter(result__sitting__section__session__event=event)


def _list_result_changes(
    access: EventAccess, version_pks: Sequence[int]
) -> dict[int, HistoryRow]:
    """Return the history rows of result versions by key, each with the previous value."""
    affected_results = ResultVersion.objects.filter(pk__in=version_pks).values("result")
    version_rows = (
        _query_versions(access.event)
        .filter(result__in=affected_results)
        .select_related("result__sitting")
    )
    letters_by_section = load_section_letters(access.event)
    versions_by_result: dict[int, list[ResultVersion]] = defaultdict(list)
    for version in version_rows.order_by("number"):
        versions_by_result[version.result_id].append(version)
    changes_by_version = {}
    for versions in versions_by_result.values():
        for previous_version, version in zip([None, *versions], versions, strict=False):
            sitting = version.result.sitting
            table_label = format_table(sitting.table, letters_by_section[sitting.section_id])
            changes_by_version[version.pk] = _build_change(
                access.address, previous_version, version, versions[-1], table_label
            )
    return changes_by_version


def _build_change(
    event_address: str,
    previous_version: ResultVersion | None,
    version: ResultVersion,
    last_version: ResultVersion,
    table_label: str,
) -> HistoryRow:
    previous_text = _format_tricks(previous_version) if previous_version else _("no result")
    may_undo = last_version.pk == version.pk or previous_text != _format_tricks(last_version)
    return HistoryRow(
        at=version.at,
        by=audit.describe_author(version.by),
        text=_("Board %(board)s, round %(round)s, table %(table)s")
        % {
            "board": version.result.board,
            "round": version.result.sitting.round,
            "table": table_label,
        },
        before=_format_tricks(previous_version) if previous_version else "",
        after=_format_tricks(version),
        via=version.get_via_display(),
        undo=build_version_undo_form(event_address, version.pk, last_version.pk)
        if may_undo
        else None,
        restored_value_text="" if last_version.pk == version.pk else previous_text,
    )


def _format_tricks(version: ResultVersion) -> str:
    if version.outcome == Outcome.PLAYED:
        values_by_side = dict(zip(("ns", "ew"), version.written_score.side_values, strict=True))
        if version.trump:
            suit_placeholder = {"suit": Declaration.parse(version.trump).word}
            return _("%(suit)s, N-S %(ns)s, E-W %(ew)s") % (values_by_side | suit_placeholder)
        return _("N-S %(ns)s, E-W %(ew)s") % values_by_side
    return _("not played") if version.mark else _("no result")
