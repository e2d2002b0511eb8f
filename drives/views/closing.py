"""The pages at the end of a drive: missing scores, prizes, the close, the presentation."""

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
from drives import visits
from drives.models import Drive, Prize
from drives.prizes.prize import MEASURES
from drives.sheets.hands_check import build_hands_report
from drives.sheets.standing import build_standing, build_totals_report, list_awards
from drives.snapshot import DriveSnapshot, load_drive
from drives.visits import DriveVisit
from server.numbers import parse_whole_number

MEASURE_WORDS = {
    "total-high": gettext_lazy("highest total"),
    "total-low": gettext_lazy("lowest total"),
    "first-half": gettext_lazy("best first half"),
    "last-half": gettext_lazy("best last half"),
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
TIE_WORDS = {
    Prize.Ties.SHARE.value: gettext_lazy("share"),
    Prize.Ties.CUT.value: gettext_lazy("cut cards"),
    Prize.Ties.LOT.value: gettext_lazy("random draw"),
}
EMPTY_LINES, MAX_PLACES = 3, 400


@require_safe
def closing_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show missing scores, the prizes as they would be awarded, and the prize list."""
    visit = visits.director_drive(request, slug)
    return render(request, "drives/closing.html", _build_context(visit))


def _build_context(visit: DriveVisit, problem: str = "", posted: Any = None) -> dict[str, Any]:
    snapshot = load_drive(visit.drive)
    awards = list_awards(snapshot, format_full_name) if _has_scores(snapshot) else ()
    ranked_players = (
        build_standing(snapshot, format_full_name, for_staff=True)
        if _has_scores(snapshot)
        else None
    )
    return visit.context | {
        "check": build_totals_report(snapshot, format_full_name),
        "hands_check": build_hands_report(snapshot, format_full_name),
        "standing": ranked_players,
        "onward": max(visit.drive.date + timedelta(days=7), get_club_date(visit.drive.club)),
        "awards": awards,
        "has_open_cut": any(award.is_cut for award in awards),
        "lines": _list_prize_lines(visit, posted),
        "measures": [(code, MEASURE_WORDS.get(code, code)) for code in MEASURES],
        "fields": _list_fields(snapshot),
        "ties": list(TIE_WORDS.items()),
        "problem": problem,
    }


def _has_scores(snapshot: DriveSnapshot) -> bool:
    return any(r.is_scored for r in snapshot.rounds.values()) or bool(snapshot.scores.cards)


def _list_fields(snapshot: DriveSnapshot) -> list[tuple[str, str]]:
    """Return the possible fields of a prize: all players, a role, a club, a fort."""
    fields = [("all", _("everyone"))]
    if snapshot.form.has_roles:
        fields += [
            ("first", snapshot.get_role_word("first")),
            ("second", snapshot.get_role_word("second")),
        ]
    clubs = sorted({p.of_club for p in snapshot.ranked_players if p.of_club})
    forts = sorted({p.fort for p in snapshot.ranked_players if p.fort})
    fields += [(f"club:{name}", _("club %(name)s") % {"name": name}) for name in clubs]
    fields += [(f"fort:{name}", _("fort %(name)s") % {"name": name}) for name in forts]
    return fields


def _list_prize_lines(visit: DriveVisit, posted: Any) -> list[dict[str, Any]]:
    """Return the prize list for its form, with empty lines to add."""
    if posted is not None:
        return _parse_lines(posted)
    lines: list[dict[str, Any]] = [
        {
            "words": prize.words,
            "field": prize.field,
            "measure": prize.measure,
            "count": prize.count,
            "ties": prize.ties,
            "places": prize.places,
            "which": prize.round or prize.least or "",
        }
        for prize in visit.drive.prizes.all()
    ]
    empty_line = {
        "words": "",
        "field": "all",
        "measure": "total-high",
        "count": 1,
        "ties": "share",
    }
    return [*lines, *(dict(empty_line) for _each in range(EMPTY_LINES))]


def _parse_lines(posted: Any) -> list[dict[str, Any]]:
    columns = [posted.getlist(n) for n in ("words", "field", "measure", "count", "ties")]
    return [
        {
            "words": " ".join(words.split()),
            "field": field,
            "measure": measure,
            "count": parse_whole_number(count, maximum=1000) or 1,
            "ties": ties,
        }
        | _parse_places_and_number(posted, at, measure)
        for at, (words, field, measure, count, ties) in enumerate(zip(*columns, strict=False))
    ]


NUMBER_FIELDS = {"round": "round", "rounds-won": "least"}
"""The field of a line's number, by measure: the round, or the minimum."""


def _parse_places_and_number(posted: Any, at: int, measure: str) -> dict[str, Any]:
    """Return the places of a line and its number, if its form has them."""
    places, numbers = posted.getlist("places"), posted.getlist("which")
    values: dict[str, Any] = {}
    if at < len(places):
        parts = places[at].replace(",", " ").split()
        values["places"] = [parse_whole_number(part, maximum=10_000) or 0 for part in parts][
            :MAX_PLACES
        ]
    if at < len(numbers) and measure in NUMBER_FIELDS:
        values[NUMBER_FIELDS[measure]] = parse_whole_number(numbers[at], maximum=100_000) or 0
    return values


def _merge_lines(posted: Any, drive: Drive) -> list[dict[str, Any]]:
    """Return the posted lines with a text, and stored values that the form does not show."""
    lines = _parse_lines(posted)
    prizes_by_line = _match_stored_prizes(lines, list(drive.prizes.all()))
    for at, line in enumerate(lines):
        before = prizes_by_line.get(at)
        if before:
            extra = {"places": before.places, "then": before.then, "won": before.won,
                     "cut_by": before.cut_by,
                     "round": before.round, "least": before.least}  # fmt: skip
            line |= {name: value for name, value in extra.items() if value and name not in line}
        for name in ("places", "round", "least"):
            if not line.get(name, True):
                del line[name]
    return [line for line in lines if line["words"]]


def _match_stored_prizes(
    lines: list[dict[str, Any]], stored_prizes: list[Prize]
) -> dict[int, Prize]:
    """Return the stored prize of each posted line: at the same place, else one like it.

    Two lines may have the same text and measure, but each has its own winner of a cut.
    """
    matches = {
        at: prize
        for at, (line, prize) in enumerate(zip(lines, stored_prizes, strict=False))
        if _is_alike(line, prize)
    }
    unmatched = [prize for at, prize in enumerate(stored_prizes) if at not in matches]
    for at, line in enumerate(lines):
        similar_prize = next((prize for prize in unmatched if _is_alike(line, prize)), None)
        if at not in matches and similar_prize is not None:
            matches[at] = similar_prize
            unmatched.remove(similar_prize)
    return matches


def _is_alike(line: dict[str, Any], prize: Prize) -> bool:
    return (line["words"], line["measure"]) == (prize.words, prize.measure)


@require_http_methods(["POST"])
def save_prizes(request: HttpRequest, slug: str) -> HttpResponse:
    """Replace the prize list; lines without words are left out."""
    visit = visits.director_drive(request, slug)
    lines = _merge_lines(request.POST, visit.drive)
    try:
        drives.services.set_prizes(drive=visit.drive, lines=lines, by=request.user)
        if "each-asked" in request.POST:
            is_one_prize_each = "one_prize_each" in request.POST
            drives.services.change_terms(
                drive=visit.drive, one_prize_each=is_one_prize_each, by=request.user
            )
    except WhistError as error:
        context = _build_context(visit, str(error), request.POST)
        return render(request, "drives/closing.html", context, status=422)
    except ValidationError as error:
        context = _build_context(visit, " ".join(error.messages), request.POST)
        return render(request, "drives/closing.html", context, status=422)
    messages.success(request, _("Prizes saved."))
    return redirect("drive_closing", slug)


@require_POST
def close_or_reopen(request: HttpRequest, slug: str, act: str) -> HttpResponse:
    """Close or reopen the drive, or record the winner of a cut."""
    visit = visits.director_drive(request, slug)
    drive = visit.drive
    with show_errors_as_messages(request):
        if act == "close":
            anyway = "anyway" in request.POST
            drives.services.close_drive(drive=drive, anyway=anyway, by=request.user)
            message = _("Drive closed. Prizes awarded.")
        elif act == "reopen":
            drives.services.reopen_drive(drive=drive, by=request.user)
            message = _("Drive reopened.")
        else:
            number = parse_whole_number(request.POST.get("prize", "")) or 0
            winners = [
                parse_whole_number(n) or 0 for n in request.POST.get("won", "").split(",") if n
            ]
            drives.services.record_cut_winners(
                drive=drive, prize=number, numbers=winners, by=request.user
            )
            message = _("Winner saved.")
        messages.success(request, message)
    return redirect("drive_closing", slug)


@require_safe
def presenter_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the prizes from the last to the first, one per click, for the big screen."""
    visit = visits.director_drive(request, slug)
    lines = list(reversed(list_awards(load_drive(visit.drive), format_public_name)))
    if not visit.drive.is_closed:
        lines = []
    at = min(parse_whole_number(request.GET.get("at", "")) or 0, len(lines))
    context = visit.context | {
        "now": lines[at - 1] if at else None,
        "given": lines[: max(0, at - 1)][::-1],
        "at": at,
        "next": at + 1 if at < len(lines) else None,
        "count": len(lines),
    }
    return render(request, "drives/presenter.html", context)
