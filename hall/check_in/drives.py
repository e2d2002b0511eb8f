"""Check-in for drives, in which people play where they have checked in."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs import audit
from clubs.audit import Actor, AuditSubject
from clubs.errors import CheckInRefused
from clubs.evenings.first_seats import TablePosition, must_change_seat
from clubs.models import CheckIn, Evening
from drives.drive_access import load_director_drive_access
from drives.models import Drive, Seat
from drives.play_forms import find_play_form
from drives.services import undo_act
from drives.services.check_in import choose_places, match_people, start_drive_from_check_in
from hall.check_in.kinds import CheckInAccess, CheckInKind, FirstRoundSeat, SummaryNumber

PLAYERS_PER_TABLE = 4


def _load_access(request: HttpRequest, slug: str) -> CheckInAccess:
    access = load_director_drive_access(request, slug)
    return CheckInAccess(access, access.drive.evening, access.drive)


def _get_drive(evening: Evening) -> Drive:
    drive: Drive = evening.drive
    return drive


def _get_subject(evening: Evening) -> AuditSubject:
    return _get_drive(evening)


def _list_summary_numbers(evening: Evening, check_ins: list[CheckIn]) -> list[SummaryNumber]:
    table_count, sit_out_count = divmod(
        match_people(_get_drive(evening), check_ins).player_count, PLAYERS_PER_TABLE
    )
    return [
        SummaryNumber(_("People"), len(check_ins)),
        SummaryNumber(_("Tables"), table_count),
        SummaryNumber(_("Sit out"), sit_out_count),
    ]


def _build_start_context(check_in_access: CheckInAccess) -> Mapping[str, Any]:
    drive = _get_drive(check_in_access.evening)
    check_ins = list(check_in_access.evening.check_ins.select_related("player"))
    people = match_people(drive, check_ins)
    # the draw at the start decides where these players sit, so moves are not known before it
    is_drawn = bool(people.non_exchangeable_numbers)
    seated_check_ins = (
        [] if is_drawn else [check_in for check_in in check_ins if check_in.chair is not None]
    )
    unseated_names = [check_in.name for check_in in check_ins if check_in.chair is None]
    places = _list_places(people.player_count)
    places_by_check_in_pk = choose_places(seated_check_ins, places)
    sit_out_names = [
        check_in.name
        for check_in in seated_check_ins
        if places_by_check_in_pk[check_in.pk] is None
    ]
    has_empty_seats = any(
        place not in places_by_check_in_pk.values() for place in places if place
    )
    if not (is_drawn or has_empty_seats):
        sit_out_names += unseated_names
    return {
        "field": _("%(count)s people") % {"count": people.player_count},
        "title": find_play_form(drive.form).title,
        "moves": [
            (check_in.name, _format_table_and_seat(place))
            for check_in, place in _list_moves(seated_check_ins, places_by_check_in_pk)
        ],
        "resting": sit_out_names,
        "unseated": unseated_names,
        "absent": people.absent_names,
        "absent_url": reverse("drive_players", args=[drive.slug]),
        "absent_link": _("Remove player"),
        "is_drawn": is_drawn,
        "problems": [people.player_count_problem] if people.player_count_problem else [],
        "may_open": True,
    }


def _list_places(player_count: int) -> list[TablePosition | None]:
    """Return the places of full tables; None means that a person sits out."""
    table_count, sit_out_count = divmod(player_count, PLAYERS_PER_TABLE)
    places = [
        TablePosition(table_number, str(seat_number))
        for table_number in range(1, table_count + 1)
        for seat_number in (1, 2, 3, 4)
    ]
    return [*places, *[None] * sit_out_count]


def _list_moves(
    check_ins: list[CheckIn], places_by_check_in_pk: Mapping[int, TablePosition | None]
) -> list[tuple[CheckIn, TablePosition]]:
    """Return the people who have to move to another place, and where."""
    used_places = [place for place in places_by_check_in_pk.values() if place is not None]
    return [
        (check_in, place)
        for check_in in check_ins
        if (place := places_by_check_in_pk[check_in.pk]) is not None
        and must_change_seat(check_in.chair, place, used_places)
    ]


def _format_table_and_seat(table_position: TablePosition) -> str:
    return _("table %(table)s, seat %(seat)s") % {
        "table": table_position.table_number,
        "seat": table_position.position,
    }


def _start_play(check_in_access: CheckInAccess, _post_data: QueryDict, by: Actor) -> str:
    start_drive_from_check_in(drive=_get_drive(check_in_access.evening), by=by)
    return reverse("drive_desk", args=[check_in_access.access.address])


def _undo_start(check_in_access: CheckInAccess, by: Actor) -> None:
    drive = _get_drive(check_in_access.evening)
    acts = audit.list_acts(drive).filter(action="drive.checked_in", undone_by=None)
    act = acts.first()
    if act is None:
        raise CheckInRefused(_("Nothing to undo."))
    undo_act(drive=drive, act=act, by=by)


def _map_first_round_seats(evening: Evening) -> Mapping[int, FirstRoundSeat]:
    seats = Seat.objects.filter(round__drive__evening=evening, round__number=1)
    seats_by_player_number = {}
    for player_number, table_number, seat_number in seats.values_list(
        "player__number", "table", "seat"
    ):
        player_label = _("Player %(number)s") % {"number": player_number}
        if table_number is None:
            seats_by_player_number[player_number] = FirstRoundSeat(
                player_label, _("Sit out round 1"), "", None
            )
        else:
            place_text = _("Table %(table)s, seat %(seat)s") % {
                "table": table_number,
                "seat": seat_number,
            }
            seats_by_player_number[player_number] = FirstRoundSeat(
                player_label, place_text, "", TablePosition(table_number, str(seat_number))
            )
    return seats_by_player_number


DRIVE_CHECK_IN = CheckInKind(
    relation_name="drive",
    url_prefix="drive_",
    desk_url_name="drive_desk",
    seat_labels_by_number={
        1: gettext_lazy("Seat 1"),
        2: gettext_lazy("Seat 2"),
        3: gettext_lazy("Seat 3"),
        4: gettext_lazy("Seat 4"),
    },
    positions_by_seat={1: "s", 2: "e", 3: "n", 4: "w"},  # as on the table cards
    load_access=_load_access,
    get_subject=_get_subject,
    has_partners=lambda _evening: False,
    are_partners_opposite=lambda evening: not evening.drive.score.get("game"),
    list_summary_numbers=_list_summary_numbers,
    build_start_context=_build_start_context,
    start_play=_start_play,
    undo_start=_undo_start,
    map_first_round_seats=_map_first_round_seats,
    start_label=gettext_lazy("Start drive"),
)
