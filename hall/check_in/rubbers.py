"""Check-in for rubber nights: the people of each table, who then cut for partners."""

from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpRequest, QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs import audit
from clubs.audit import Actor, AuditSubject
from clubs.errors import CheckInRefused
from clubs.evenings.first_seats import PresentPerson, TablePosition
from clubs.models import CheckIn, Evening
from hall.check_in.kinds import CheckInAccess, CheckInKind, FirstRoundSeat, SummaryNumber
from rubbers.models import Belonging, RubberNight
from rubbers.rubber.check_in_tables import group_people_by_table
from rubbers.rubber.codes import find_law_code
from rubbers.rubber.dummy import MIN_PLAYERS
from rubbers.rubber_access import load_director_night_access
from rubbers.services import undo_act
from rubbers.services.check_in import start_night_from_check_in


def _load_access(request: HttpRequest, slug: str) -> CheckInAccess:
    access = load_director_night_access(request, slug)
    if access.night.drive is not None:  # the drive has its own check-in
        raise Http404
    return CheckInAccess(access, access.night.evening, access.night)


def _get_rubber_night(evening: Evening) -> RubberNight:
    night: RubberNight = evening.rubber_night
    return night


def _get_subject(evening: Evening) -> AuditSubject:
    return _get_rubber_night(evening)


def _group_by_table(check_ins: list[CheckIn]) -> dict[int, list[int]]:
    return group_people_by_table(
        PresentPerson(check_in.pk, check_in.chair) for check_in in check_ins
    )


def _list_summary_numbers(_evening: Evening, check_ins: list[CheckIn]) -> list[SummaryNumber]:
    return [
        SummaryNumber(_("People"), len(check_ins)),
        SummaryNumber(_("Tables"), len(_group_by_table(check_ins))),
    ]


def _build_start_context(check_in_access: CheckInAccess) -> Mapping[str, Any]:
    check_ins = list(check_in_access.evening.check_ins.all())
    check_in_pks_by_table = _group_by_table(check_ins)
    tables_by_check_in_pk = {
        check_in_pk: table_number
        for table_number, check_in_pks in check_in_pks_by_table.items()
        for check_in_pk in check_in_pks
    }
    is_playable = bool(check_in_pks_by_table) and all(
        len(check_in_pks) >= MIN_PLAYERS for check_in_pks in check_in_pks_by_table.values()
    )
    return {
        "field": _("%(count)s people") % {"count": len(check_ins)},
        "title": find_law_code(_get_rubber_night(check_in_access.evening).code).title,
        "moves": [
            (check_in.name, _format_table(tables_by_check_in_pk[check_in.pk]))
            for check_in in check_ins
            if check_in.table is not None
            and tables_by_check_in_pk[check_in.pk] != check_in.table
        ],
        "unseated": [check_in.name for check_in in check_ins if check_in.chair is None],
        "problems": [] if is_playable else [_("A table needs at least two players.")],
        "may_open": True,
    }


def _format_table(table_number: int) -> str:
    return _("Table %(table)s") % {"table": table_number}


def _start_play(check_in_access: CheckInAccess, _post_data: QueryDict, by: Actor) -> str:
    start_night_from_check_in(night=_get_rubber_night(check_in_access.evening), by=by)
    return reverse("rubber_desk", args=[check_in_access.access.address])


def _undo_start(check_in_access: CheckInAccess, by: Actor) -> None:
    night = _get_rubber_night(check_in_access.evening)
    act = audit.list_acts(night).filter(action="check_in.started", undone_by=None).first()
    if act is None:
        raise CheckInRefused(_("Nothing to undo."))
    undo_act(night=night, act=act, by=by)


def _map_first_round_seats(evening: Evening) -> Mapping[int, FirstRoundSeat]:
    """Return each person's table in round 1, by player number.

    The chair is known only for people who stay at the table where they checked in.
    """
    members = Belonging.objects.filter(table__night__evening=evening, until=None)
    table_numbers_by_player = dict(members.values_list("holder__number", "table__number"))
    chairs_by_player = {check_in.number: check_in.chair for check_in in evening.check_ins.all()}
    seats_by_player_number = {}
    for player_number, table_number in table_numbers_by_player.items():
        chair = chairs_by_player.get(player_number)
        is_staying_at_table = chair is not None and chair.table_number == table_number
        table_position = TablePosition(
            table_number,
            str(chair.seat_number) if chair is not None and is_staying_at_table else "",
        )
        player_label = _("Player %(number)s") % {"number": player_number}
        seats_by_player_number[player_number] = FirstRoundSeat(
            player_label, _format_table(table_number), _("Cut for partners"), table_position
        )
    return seats_by_player_number


RUBBER_CHECK_IN = CheckInKind(
    relation_name="rubber_night",
    url_prefix="rubber_",
    desk_url_name="rubber_desk",
    seat_labels_by_number={
        1: gettext_lazy("Seat 1"),
        2: gettext_lazy("Seat 2"),
        3: gettext_lazy("Seat 3"),
        4: gettext_lazy("Seat 4"),
    },
    positions_by_seat={1: "s", 2: "e", 3: "n", 4: "w"},
    load_access=_load_access,
    get_subject=_get_subject,
    has_partners=lambda _evening: False,
    are_partners_opposite=lambda _evening: True,
    list_summary_numbers=_list_summary_numbers,
    build_start_context=_build_start_context,
    start_play=_start_play,
    undo_start=_undo_start,
    map_first_round_seats=_map_first_round_seats,
    start_label=gettext_lazy("Start night"),
)
