"""Check-in for rubber nights: the people of each table, who then cut for partners."""

from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpRequest, QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs import audit
from clubs.audit import Actor, Subject
from clubs.errors import CheckInRefused
from clubs.evenings.first_seats import Place, PresentPerson
from clubs.models import CheckIn, Evening
from hall.check_in.kinds import CheckInKind, CheckInVisit, Fact, Outcome
from rubbers.models import Belonging, RubberNight
from rubbers.rubber.check_in_tables import group_by_table
from rubbers.rubber.codes import find_code
from rubbers.rubber.dummy import MIN_PLAYERS
from rubbers.services import undo_act
from rubbers.services.check_in import start_from_check_in
from rubbers.visits import director_night


def _load_visit(request: HttpRequest, slug: str) -> CheckInVisit:
    visit = director_night(request, slug)
    if visit.night.drive is not None:  # the drive has its own check-in
        raise Http404
    return CheckInVisit(visit, visit.night.evening, visit.night)


def _get_night(evening: Evening) -> RubberNight:
    night: RubberNight = evening.rubber_night
    return night


def _get_subject(evening: Evening) -> Subject:
    return _get_night(evening)


def _group(rows: list[CheckIn]) -> dict[int, list[int]]:
    return group_by_table(PresentPerson(row.pk, row.chair) for row in rows)


def _list_facts(_evening: Evening, rows: list[CheckIn]) -> list[Fact]:
    return [Fact(_("People"), len(rows)), Fact(_("Tables"), len(_group(rows)))]


def _build_start(at: CheckInVisit) -> Mapping[str, Any]:
    rows = list(at.evening.check_ins.all())
    tables = _group(rows)
    table_of = {key: table for table, keys in tables.items() for key in keys}
    is_playable = bool(tables) and all(len(keys) >= MIN_PLAYERS for keys in tables.values())
    return {
        "field": _("%(count)s people") % {"count": len(rows)},
        "title": find_code(_get_night(at.evening).code).title,
        "moves": [
            (row.name, _format_table(table_of[row.pk]))
            for row in rows
            if row.table is not None and table_of[row.pk] != row.table
        ],
        "unseated": [row.name for row in rows if row.chair is None],
        "problems": [] if is_playable else [_("A table needs at least two players.")],
        "may_open": True,
    }


def _format_table(table: int) -> str:
    return _("Table %(table)s") % {"table": table}


def _start(at: CheckInVisit, _posted: QueryDict, by: Actor) -> str:
    start_from_check_in(night=_get_night(at.evening), by=by)
    return reverse("rubber_desk", args=[at.visit.address])


def _undo_start(at: CheckInVisit, by: Actor) -> None:
    night = _get_night(at.evening)
    act = audit.list_acts(night).filter(action="check_in.started", undone_by=None).first()
    if act is None:
        raise CheckInRefused(_("Nothing to undo."))
    undo_act(night=night, act=act, by=by)


def _list_outcomes(evening: Evening) -> Mapping[int, Outcome]:
    """Return each person's table and chair after the start; a person who stays at the table
    keeps the chair.
    """
    members = Belonging.objects.filter(table__night__evening=evening, until=None)
    tables = dict(members.values_list("holder__number", "table__number"))
    chairs = {row.number: row.chair for row in evening.check_ins.all()}
    outcomes = {}
    for number, table in tables.items():
        chair = chairs.get(number)
        is_same = chair is not None and chair.table == table
        place = Place(table, str(chair.seat) if chair is not None and is_same else "")
        label = _("Player %(number)s") % {"number": number}
        outcomes[number] = Outcome(label, _format_table(table), _("Cut for partners"), place)
    return outcomes


RUBBER_CHECK_IN = CheckInKind(
    relation="rubber_night",
    url_prefix="rubber_",
    desk="rubber_desk",
    seat_labels={
        1: gettext_lazy("Seat 1"),
        2: gettext_lazy("Seat 2"),
        3: gettext_lazy("Seat 3"),
        4: gettext_lazy("Seat 4"),
    },
    seat_positions={1: "s", 2: "e", 3: "n", 4: "w"},
    load_visit=_load_visit,
    get_subject=_get_subject,
    has_partners=lambda _evening: False,
    list_facts=_list_facts,
    build_start=_build_start,
    start=_start,
    undo_start=_undo_start,
    list_outcomes=_list_outcomes,
    start_label=gettext_lazy("Start night"),
)
