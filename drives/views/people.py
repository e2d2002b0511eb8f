"""Views that add, remove, replace and rename players, and set their preferences."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

import drives.services
from clubs.names.tidy import build_name_key, clean_name
from clubs.views.error_messages import show_errors_as_messages
from drives import drive_access
from drives.errors import DriveActionNotAllowed
from drives.models import Drive, DrivePlayer
from drives.play_forms import SeatingTime
from drives.play_forms.rounds import MEETINGS_TERM, MEETINGS_TERM_TABLE_VALUE
from drives.services import NewPlayer
from drives.snapshot import DriveSnapshot, load_drive_snapshot
from drives.stale_cards import list_stale_cards
from server.numbers import parse_whole_number

PLAYERS_PER_PAGE = 40


@require_safe
def show_players(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the players of a drive, with forms to change them."""
    access = drive_access.load_director_drive_access(request, slug)
    snapshot = load_drive_snapshot(access.drive)
    search_text = clean_name(request.GET.get("q", ""))[:80]
    page = Paginator(_filter_players(snapshot, search_text), PLAYERS_PER_PAGE).get_page(
        request.GET.get("page")
    )
    context = access.context | {
        "players": page.object_list,
        "page": page,
        "search_text": search_text,
        "house": [
            player
            for player in snapshot.player_by_number.values()
            if player.house and player.to_round is None
        ],
        "is_begun": bool(access.drive.at_round),
        "changed": list_stale_cards(access.drive),
        "may_wish": snapshot.play_form.seating_time is not SeatingTime.AFTER_RESULT
        and not snapshot.play_form.has_fixed_partners,
        "meets_at_tables": _has_table_meeting_rule(access.drive),
        "apart": [
            (
                kept_apart_numbers,
                [
                    snapshot.player_by_number[player_number].full_name
                    for player_number in kept_apart_numbers
                ],
            )
            for kept_apart_numbers in access.drive.apart
            if all(
                player_number in snapshot.player_by_number
                for player_number in kept_apart_numbers
            )
        ],
        "word": {
            "first": snapshot.get_role_word("first"),
            "second": snapshot.get_role_word("second"),
        },
        "has_roles": snapshot.play_form.has_roles,
    }
    return render(request, "drives/players.html", context)


def _has_table_meeting_rule(drive: Drive) -> bool:
    """Return whether the draw counts all meetings at a table, not only partnerships."""
    return bool(drive.terms.get(MEETINGS_TERM) == MEETINGS_TERM_TABLE_VALUE)


def _filter_players(snapshot: DriveSnapshot, search_text: str) -> list[DrivePlayer]:
    """Return the players whose number or name matches the search; "" matches all players."""
    search_key = build_name_key(search_text)
    players = [player for player in snapshot.player_by_number.values() if not player.house]
    return [
        player
        for player in players
        if search_key == str(player.number) or search_key in build_name_key(player.full_name)
    ]


@require_POST
def change_player(request: HttpRequest, slug: str, act: str) -> HttpResponse:
    """Perform a change named by `act`, and show a message with its result or its problem."""
    drive = drive_access.load_director_drive_access(request, slug).drive
    with show_errors_as_messages(request):
        messages.success(request, _ACT_FUNCTIONS_BY_NAME[act](request, drive))
    return redirect("drive_players", slug)


def _parse_player(request: HttpRequest) -> NewPlayer:
    name = clean_name(request.POST.get("name", ""))
    if not name:
        raise DriveActionNotAllowed(_("Enter a name."))
    return NewPlayer(name=name)


def _find_card_holder(request: HttpRequest, drive: Drive) -> DrivePlayer:
    player_number = parse_whole_number(request.POST.get("number", ""), maximum=10_000)
    return get_object_or_404(drive.players, number=player_number)


def _add_late_player(request: HttpRequest, drive: Drive) -> str:
    applies_to_current_round = "now" in request.POST
    if not drive.at_round:
        [player] = drives.services.add_players(
            drive=drive, new_players=[_parse_player(request)], by=request.user
        )
    else:
        player = drives.services.add_late_player(
            drive=drive,
            new_player=_parse_player(request),
            applies_to_current_round=applies_to_current_round,
            by=request.user,
        )
    message = _("%(name)s added as number %(number)s, from round %(round)s.")
    return message % {
        "name": player.full_name,
        "number": player.number,
        "round": player.from_round,
    }


def _remove_player(request: HttpRequest, drive: Drive) -> str:
    applies_to_current_round = "now" in request.POST
    player = drives.services.remove_player(
        player=_find_card_holder(request, drive),
        applies_to_current_round=applies_to_current_round,
        by=request.user,
    )
    return _("%(name)s has withdrawn.") % {"name": player.full_name}


def _substitute_player(request: HttpRequest, drive: Drive) -> str:
    replaced_player = _find_card_holder(request, drive)
    replaced_name = replaced_player.full_name
    substitute = drives.services.substitute_player(
        player=replaced_player,
        new_player=_parse_player(request),
        should_take_over_score="own" not in request.POST,
        by=request.user,
    )
    message = _("%(new)s takes over card %(number)s from %(old)s.")
    return message % {
        "new": substitute.full_name,
        "old": replaced_name,
        "number": substitute.number,
    }


def _rename_player(request: HttpRequest, drive: Drive) -> str:
    player = drives.services.name_player(
        player=_find_card_holder(request, drive),
        new_player=_parse_player(request),
        by=request.user,
    )
    return _("Card %(number)s: %(name)s.") % {"number": player.number, "name": player.full_name}


def _set_stationary(request: HttpRequest, drive: Drive) -> str:
    is_stationary = request.POST.get("stays") == "1"
    player = drives.services.set_player_stationary(
        player=_find_card_holder(request, drive), is_stationary=is_stationary, by=request.user
    )
    message = _("%(name)s is stationary.") if is_stationary else _("%(name)s moves again.")
    return message % {"name": player.full_name}


def _set_player_presence(request: HttpRequest, drive: Drive) -> str:
    is_present = request.POST.get("present") == "1"
    player = drives.services.update_player(
        player=_find_card_holder(request, drive), present=is_present, by=request.user
    )
    message = (
        _("%(name)s is in the raffle.") if is_present else _("%(name)s is not in the raffle.")
    )
    return message % {"name": player.full_name}


def _set_pair_kept_apart(request: HttpRequest, drive: Drive) -> str:
    player_number, other_player_number = (
        parse_whole_number(request.POST.get(name, ""), maximum=10_000) or 0
        for name in ("one", "other")
    )
    is_separated = request.POST.get("apart", "1") == "1"
    drives.services.set_pair_kept_apart(
        drive=drive,
        player_number=player_number,
        other_player_number=other_player_number,
        is_kept_apart=is_separated,
        by=request.user,
    )
    if _has_table_meeting_rule(drive):
        message = _("%(one)s and %(other)s won’t sit at one table.")
        if not is_separated:
            message = _("%(one)s and %(other)s may sit at one table again.")
    else:
        message = _("%(one)s and %(other)s won’t be partners.")
        if not is_separated:
            message = _("%(one)s and %(other)s may be partners again.")
    return message % {"one": player_number, "other": other_player_number}


def _set_house_players(request: HttpRequest, drive: Drive) -> str:
    name_lines = request.POST.get("names", "").replace(",", "\n").splitlines()
    house_player_names = [
        clean_name(name_line) for name_line in name_lines if name_line.strip()
    ]
    drives.services.set_house_players(
        drive=drive, house_player_names=house_player_names, by=request.user
    )
    return _("Stand-ins: %(names)s.") % {"names": ", ".join(house_player_names) or _("none")}


_ACT_FUNCTIONS_BY_NAME: dict[str, Callable[[HttpRequest, Drive], Any]] = {
    "late": _add_late_player,
    "leaves": _remove_player,
    "substitute": _substitute_player,
    "name": _rename_player,
    "seated": _set_stationary,
    "present": _set_player_presence,
    "apart": _set_pair_kept_apart,
    "house": _set_house_players,
}
ACT_NAMES = tuple(_ACT_FUNCTIONS_BY_NAME)
