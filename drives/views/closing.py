"""Views for the end of a drive: missing scores, prizes, the close, and the prize-giving."""

from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

import drives.services
from boards.whist import WhistError
from clubs.activities.secrecy import format_full_name, format_public_name
from clubs.today import get_club_date
from clubs.views.error_messages import show_errors_as_messages
from drives import drive_access
from drives.drive_access import DriveAccess
from drives.models import Drive, Prize
from drives.prizes.prize import MEASURES
from drives.sheets.hands_check import build_hands_report
from drives.sheets.standing import build_totals_report, has_scores, list_awards
from drives.snapshot import DriveSnapshot, load_drive_snapshot
from server.numbers import parse_whole_number

MEASURE_LABELS = {
    "total-high": gettext_lazy("highest total"),
    "total-low": gettext_lazy("lowest total"),
    "first-half": gettext_lazy("best first half"),
    "last-half": gettext_lazy("best second half"),
    "round": gettext_lazy("best round"),
    "rounds-won": gettext_lazy("most rounds won"),
    "most-extras": gettext_lazy("most extras"),
    "stars": gettext_lazy("most gold stars, then red, then fewest green"),
    "head-won": gettext_lazy("most wins at table 1"),
    "last-lost": gettext_lazy("most losses at the last table"),
    "contracts-made": gettext_lazy("most contracts made"),
    "best-hand": gettext_lazy("best hand"),
    "fewest-lost": gettext_lazy("fewest contracts lost"),
    "lucky-number": gettext_lazy("lucky number (draw)"),
    "raffle": gettext_lazy("raffle among those present"),
    "everybody": gettext_lazy("a prize for everyone"),
}
TIE_LABELS = {
    Prize.TieRule.SHARE.value: gettext_lazy("share"),
    Prize.TieRule.CUT.value: gettext_lazy("cut cards"),
    Prize.TieRule.LOT.value: gettext_lazy("random draw"),
}
SIDE_MEASURES = ("stars", "head-won", "last-lost", "most-extras")
"""The measures that exist only if two sides play at a table."""
CONTRACT_MEASURES = ("contracts-made", "best-hand", "fewest-lost")
"""The measures that exist only in games with contracts."""
EMPTY_PRIZE_LINE_COUNT, MAX_PLACES_PER_PRIZE = 3, 400
"""The number of empty lines in the form for prizes, and the maximum places of one prize."""


@require_safe
def show_closing_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show missing scores, the prizes as they would be awarded, and the prize list."""
    access = drive_access.load_director_drive_access(request, slug)
    return render(request, "drives/closing.html", _build_context(access))


def _build_context(
    access: DriveAccess, problem: str = "", form_data: Any = None
) -> dict[str, Any]:
    snapshot = load_drive_snapshot(access.drive)
    is_scored = has_scores(snapshot)
    awards = list_awards(snapshot, format_full_name) if is_scored else ()
    return access.context | {
        "check": build_totals_report(snapshot, format_full_name),
        "hands_check": build_hands_report(snapshot, format_full_name),
        "is_scored": is_scored,
        "onward": max(access.drive.date + timedelta(days=7), get_club_date(access.drive.club)),
        "awards": awards,
        "has_open_cut": any(award.needs_cut for award in awards),
        "lines": _list_prize_lines(access, form_data),
        "measures": _list_measures(snapshot),
        "fields": _list_winner_groups(snapshot),
        "ties": list(TIE_LABELS.items()),
        "problem": problem,
    }


def _list_measures(snapshot: DriveSnapshot) -> list[tuple[str, Any]]:
    """Return the code and label of each measure by which the drive can award prizes.

    Measures that do not fit the drive's game are included only if a stored prize uses them.
    """
    used_codes = set(snapshot.drive.prizes.values_list("measure", flat=True))
    has_contracts = snapshot.points_table is not None
    unsuitable_codes = set(SIDE_MEASURES if has_contracts else CONTRACT_MEASURES)
    return [
        (code, MEASURE_LABELS.get(code, code))
        for code in MEASURES
        if code in used_codes or code not in unsuitable_codes
    ]


def _list_winner_groups(snapshot: DriveSnapshot) -> list[tuple[str, str]]:
    """Return the code and name of each group for a prize: everyone, a role, club or fort."""
    winner_groups = [("all", _("everyone"))]
    if snapshot.play_form.has_roles:
        winner_groups += [
            ("first", snapshot.get_role_word("first")),
            ("second", snapshot.get_role_word("second")),
        ]
    club_names = sorted(
        {player.of_club for player in snapshot.ranked_players if player.of_club}
    )
    fort_names = sorted({player.fort for player in snapshot.ranked_players if player.fort})
    winner_groups += [
        (f"club:{name}", _("club %(name)s") % {"name": name}) for name in club_names
    ]
    winner_groups += [
        (f"fort:{name}", _("fort %(name)s") % {"name": name}) for name in fort_names
    ]
    return winner_groups


def _list_prize_lines(access: DriveAccess, form_data: Any) -> list[dict[str, Any]]:
    """Return the lines of the prize form: the posted or stored prizes, and empty lines."""
    if form_data is not None:
        return _parse_prize_lines(form_data)
    prize_lines: list[dict[str, Any]] = [
        {
            "words": prize.words,
            "field": prize.field,
            "measure": prize.measure,
            "count": prize.count,
            "ties": prize.ties,
            "places": prize.places,
            "which": prize.round or prize.least or "",
        }
        for prize in access.drive.prizes.all()
    ]
    empty_line = {
        "words": "",
        "field": "all",
        "measure": "total-high",
        "count": 1,
        "ties": "share",
    }
    return [*prize_lines, *(dict(empty_line) for _each in range(EMPTY_PRIZE_LINE_COUNT))]


def _parse_prize_lines(form_data: Any) -> list[dict[str, Any]]:
    columns = [
        form_data.getlist(field_name)
        for field_name in ("words", "field", "measure", "count", "ties")
    ]
    return [
        {
            "words": " ".join(words_text.split()),
            "field": winner_group,
            "measure": measure_code,
            "count": parse_whole_number(count_text, maximum=1000) or 1,
            "ties": tie_rule,
        }
        | _parse_places_and_number(form_data, index, measure_code)
        for index, (words_text, winner_group, measure_code, count_text, tie_rule) in enumerate(
            zip(*columns, strict=False)
        )
    ]


NUMBER_FIELD_BY_MEASURE = {"round": "round", "rounds-won": "least"}
"""The field of `Prize` for the number that the user types, by code of the prize's measure."""


def _parse_places_and_number(form_data: Any, index: int, measure_code: str) -> dict[str, Any]:
    """Return the typed places and number of the line at `index`, if the form has them."""
    place_list_texts, number_texts = form_data.getlist("places"), form_data.getlist("which")
    prize_values: dict[str, Any] = {}
    if index < len(place_list_texts):
        place_texts = place_list_texts[index].replace(",", " ").split()
        prize_values["places"] = [
            parse_whole_number(typed_place, maximum=10_000) or 0 for typed_place in place_texts
        ][:MAX_PLACES_PER_PRIZE]
    if index < len(number_texts) and measure_code in NUMBER_FIELD_BY_MEASURE:
        prize_values[NUMBER_FIELD_BY_MEASURE[measure_code]] = (
            parse_whole_number(number_texts[index], maximum=100_000) or 0
        )
    return prize_values


def _merge_prize_lines(form_data: Any, drive: Drive) -> list[dict[str, Any]]:
    """Return the posted prizes with the stored values that the form does not show.

    Lines without a text are omitted.
    """
    prize_lines = _parse_prize_lines(form_data)
    prize_by_line_index = _match_stored_prizes(prize_lines, list(drive.prizes.all()))
    for index, prize_line in enumerate(prize_lines):
        stored_prize = prize_by_line_index.get(index)
        if stored_prize:
            hidden_values = {"places": stored_prize.places, "then": stored_prize.then,
                "won": stored_prize.won,
                     "cut_by": stored_prize.cut_by,
                     "round": stored_prize.round, "least": stored_prize.least}  # fmt: skip
            prize_line |= {
                name: hidden_value
                for name, hidden_value in hidden_values.items()
                if hidden_value and name not in prize_line
            }
        for name in ("places", "round", "least"):
            if not prize_line.get(name, True):
                del prize_line[name]
    return [prize_line for prize_line in prize_lines if prize_line["words"]]


def _match_stored_prizes(
    prize_lines: list[dict[str, Any]], stored_prizes: list[Prize]
) -> dict[int, Prize]:
    """Return the stored prize for each posted line, by the index of the line.

    A line matches a prize with the same text and measure. If there are several, the prize at
    the same index is preferred, because each prize has its own winner of a cut for a tie.
    """
    prize_by_line_index = {
        index: prize
        for index, (prize_line, prize) in enumerate(
            zip(prize_lines, stored_prizes, strict=False)
        )
        if _is_similar(prize_line, prize)
    }
    unmatched_prizes = [
        prize for index, prize in enumerate(stored_prizes) if index not in prize_by_line_index
    ]
    for index, prize_line in enumerate(prize_lines):
        similar_prize = next(
            (prize for prize in unmatched_prizes if _is_similar(prize_line, prize)), None
        )
        if index not in prize_by_line_index and similar_prize is not None:
            prize_by_line_index[index] = similar_prize
            unmatched_prizes.remove(similar_prize)
    return prize_by_line_index


def _is_similar(prize_line: dict[str, Any], prize: Prize) -> bool:
    return (prize_line["words"], prize_line["measure"]) == (prize.words, prize.measure)


@require_http_methods(["POST"])
def save_prizes(request: HttpRequest, slug: str) -> HttpResponse:
    """Save the prizes of the form; lines without a text are omitted."""
    access = drive_access.load_director_drive_access(request, slug)
    prize_lines = _merge_prize_lines(request.POST, access.drive)
    try:
        drives.services.set_prizes(drive=access.drive, lines=prize_lines, by=request.user)
        if "each-asked" in request.POST:
            has_one_prize_each = "one_prize_each" in request.POST
            drives.services.change_terms(
                drive=access.drive, one_prize_each=has_one_prize_each, by=request.user
            )
    except WhistError as error:
        context = _build_context(access, str(error), request.POST)
        return render(request, "drives/closing.html", context, status=422)
    except ValidationError as error:
        context = _build_context(access, " ".join(error.messages), request.POST)
        return render(request, "drives/closing.html", context, status=422)
    messages.success(request, _("Prizes saved."))
    return redirect("drive_closing", slug)


@require_POST
def close_or_reopen(request: HttpRequest, slug: str, act: str) -> HttpResponse:
    """Close or reopen the drive, or record the winner of a cut."""
    access = drive_access.load_director_drive_access(request, slug)
    drive = access.drive
    with show_errors_as_messages(request):
        if act == "close":
            is_forced = "anyway" in request.POST
            drives.services.close_drive(drive=drive, anyway=is_forced, by=request.user)
            message = _("Drive closed. Prizes awarded.")
        elif act == "reopen":
            drives.services.reopen_drive(drive=drive, by=request.user)
            message = _("Drive reopened.")
        else:
            prize_number = parse_whole_number(request.POST.get("prize", "")) or 0
            winner_numbers = [
                parse_whole_number(number_text) or 0
                for number_text in request.POST.get("won", "").split(",")
                if number_text
            ]
            drives.services.record_cut_winners(
                drive=drive,
                prize_number=prize_number,
                winner_numbers=winner_numbers,
                by=request.user,
            )
            message = _("Winner saved.")
        messages.success(request, message)
    return redirect("drive_closing", slug)


@require_safe
def show_presentation(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the awards on a big screen, from the last prize to the first, one more per click."""
    access = drive_access.load_director_drive_access(request, slug)
    awards = list(reversed(list_awards(load_drive_snapshot(access.drive), format_public_name)))
    if not access.drive.is_closed:
        awards = []
    shown_award_count = min(parse_whole_number(request.GET.get("at", "")) or 0, len(awards))
    context = access.context | {
        "now": awards[shown_award_count - 1] if shown_award_count else None,
        "given": awards[: max(0, shown_award_count - 1)][::-1],
        "at": shown_award_count,
        "next": shown_award_count + 1 if shown_award_count < len(awards) else None,
        "count": len(awards),
    }
    return render(request, "drives/presenter.html", context)
