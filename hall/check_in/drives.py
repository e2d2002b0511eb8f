"""Check-in for drives: people who play where they sit."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs import audit
from clubs.audit import Actor, Subject
from clubs.errors import CheckInRefused
from clubs.evenings.first_seats import Place, keep_places, must_move
from clubs.models import CheckIn, Evening
from drives.draw.participants import MAX_PARTICIPANTS, MIN_PARTICIPANTS
from drives.models import Drive, Seat
from drives.play_forms import find_play_form
from drives.services import undo_act
from drives.services.check_in import start_from_check_in
from drives.visits import director_drive
from hall.check_in.kinds import CheckInKind, CheckInVisit, Fact, Outcome

TABLE_SIZE = 4


def _load_visit(request: HttpRequest, slug: str) -> CheckInVisit:
    visit = director_drive(request, slug)
    return CheckInVisit(visit, visit.drive.evening, visit.drive)


def _get_drive(evening: Evening) -> Drive:
    drive: Drive = evening.drive
    return drive


def _get_subject(evening: Evening) -> Subject:
    return _get_drive(evening)


def _list_facts(_evening: Evening, rows: list[CheckIn]) -> list[Fact]:
    tables, rest = divmod(len(rows), TABLE_SIZE)
    return [
        Fact(_("People"), len(rows)),
        Fact(_("Tables"), tables),
        Fact(_("Sit out"), rest),
    ]


def _build_start(at: CheckInVisit) -> Mapping[str, Any]:
    drive = _get_drive(at.evening)
    rows = list(at.evening.check_ins.all())
    count = len(rows)
    given = _choose_places(rows)
    problems = []
    if not MIN_PARTICIPANTS <= count <= MAX_PARTICIPANTS:
        words = _("A drive has %(fewest)s to %(most)s players, not %(count)s.")
        limits = {"fewest": MIN_PARTICIPANTS, "most": MAX_PARTICIPANTS}
        problems.append(words % (limits | {"count": count}))
    return {
        "field": _("%(count)s people") % {"count": count},
        "title": find_play_form(drive.form).title,
        "moves": [(row.name, _format_move(place)) for row, place in _list_moves(rows, given)],
        "resting": [row.name for row in rows if given[row.pk] is None],
        "unseated": [row.name for row in rows if row.chair is None],
        "problems": problems,
        "may_open": True,
    }


def _choose_places(rows: list[CheckIn]) -> Mapping[int, Place | None]:
    """Return everyone's place if all tables have four players; None is a sit-out."""
    tables, rest = divmod(len(rows), TABLE_SIZE)
    offered: list[Place | None] = [
        Place(table, str(seat)) for table in range(1, tables + 1) for seat in (1, 2, 3, 4)
    ]
    wanted = {row.pk: _find_place(row) for row in rows}
    return keep_places(wanted, offered + [None] * rest)


def _list_moves(
    rows: list[CheckIn], given: Mapping[int, Place | None]
) -> list[tuple[CheckIn, Place]]:
    """Return the people who have to move to another place, and where."""
    used = [place for place in given.values() if place is not None]
    return [
        (row, place)
        for row in rows
        if (place := given[row.pk]) is not None and must_move(row.chair, place, used)
    ]


def _find_place(row: CheckIn) -> Place | None:
    return Place(row.chair.table, str(row.chair.seat)) if row.chair is not None else None


def _format_move(place: Place) -> str:
    return _("table %(table)s, seat %(seat)s") % {"table": place.table, "seat": place.position}


def _start(at: CheckInVisit, _posted: QueryDict, by: Actor) -> str:
    start_from_check_in(drive=_get_drive(at.evening), by=by)
    return reverse("drive_desk", args=[at.visit.address])


def _undo_start(at: CheckInVisit, by: Actor) -> None:
    drive = _get_drive(at.evening)
    acts = audit.list_acts(drive).filter(action="drive.checked_in", undone_by=None)
    act = acts.first()
    if act is None:
        raise CheckInRefused(_("Nothing to undo."))
    undo_act(drive=drive, act=act, by=by)


def _list_outcomes(evening: Evening) -> Mapping[int, Outcome]:
    rows = Seat.objects.filter(round__drive__evening=evening, round__number=1)
    found = {}
    for number, table, seat in rows.values_list("player__number", "table", "seat"):
        label = _("Player %(number)s") % {"number": number}
        if table is None:
            found[number] = Outcome(label, _("Sit out round 1"), "", None)
        else:
            text = _("Table %(table)s, seat %(seat)s") % {"table": table, "seat": seat}
            found[number] = Outcome(label, text, "", Place(table, str(seat)))
    return found


DRIVE_CHECK_IN = CheckInKind(
    relation="drive",
    url_prefix="drive_",
    desk="drive_desk",
    seat_labels={
        1: gettext_lazy("Seat 1"),
        2: gettext_lazy("Seat 2"),
        3: gettext_lazy("Seat 3"),
        4: gettext_lazy("Seat 4"),
    },
    seat_positions={1: "s", 2: "e", 3: "n", 4: "w"},  # as on the table cards
    load_visit=_load_visit,
    get_subject=_get_subject,
    has_partners=lambda _evening: False,
    list_facts=_list_facts,
    build_start=_build_start,
    start=_start,
    undo_start=_undo_start,
    list_outcomes=_list_outcomes,
    start_label=gettext_lazy("Start drive"),
)
