"""The organiser's desk of a drive in play: round, call, missing tables, and next round."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

import drives.services
from clubs.activities.secrecy import full
from clubs.models import DirectorCall
from clubs.views.refusals import refusals_as_messages
from drives import visits
from drives.draw.company import MOST_ROUNDS
from drives.errors import DriveRefused
from drives.forms import Known
from drives.forms.ties import tie_rule_of
from drives.held import HeldDrive, read_drive
from drives.models import Drive
from drives.reckoning import left_behind, winners_of
from drives.services.clock import minutes_of
from drives.sheets.bell import bell, may_go_on
from drives.sheets.clock import drive_clock
from drives.sheets.custom import is_asked, terms_asked, terms_read
from drives.sheets.desk import desk
from drives.sheets.standing import plan_figures
from drives.visits import DriveVisit
from server.fragments import fragment_of
from server.numbers import whole_number


@require_safe
def drive_desk(request: HttpRequest, slug: str) -> HttpResponse:
    """Show everything that is needed during play."""
    visit = visits.scorer_drive(request, slug)
    face = drive_clock(visit.drive)
    clock = {"clock": face, "data": asdict(face), "usual": minutes_of(visit.drive)}
    return render(request, "drives/desk.html", desk_context(visit) | clock)


@require_safe
@fragment_of("drive_desk")
def drive_now(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the fragment of the desk that is refreshed as tables send scores."""
    visit = visits.scorer_drive(request, slug)
    return render(request, "drives/_now.html", desk_context(visit))


def desk_context(visit: DriveVisit) -> dict[str, Any]:
    """Return the context of that fragment."""
    held = read_drive(visit.drive)
    found = desk(held, full)
    return visit.context | {
        "desk": found,
        "form": held.form,
        "figures": _figures(held),
        "to_say": _to_say(held),
        "handed": len({each.player_id for each in held.totals if each.total is not None}),
        "cards": len(held.ranked),
        "calls": DirectorCall.objects.filter(
            evening=visit.drive.evening_id, answered_at__isnull=True
        ),
        "behind": left_behind(held),
        "bell": (rung := bell(held)),
        "may_ring": bool(rung) and may_go_on(held),
        "is_moved": held.form.known is Known.RESULT,
        "own_terms": terms_asked(visit.drive.terms, held.form),
        "shown": Drive.Shown.choices,
        "sizes": Drive.PaperSize.choices,
    }


def _figures(held: HeldDrive) -> dict[str, Any] | None:
    """Return the plan's statistics, if it is drawn and not moved by results."""
    if held.form.known is Known.RESULT or held.form.together or len(held.rounds) < 2:
        return None
    found = plan_figures(held)
    return {
        "partners": found.partners,
        "opponents": found.opponents,
        "proved": found.proved,
        "rounds": len(held.rounds),
    }


def _to_say(held: HeldDrive) -> list[dict[str, Any]]:
    """Return the tables of the round in play whose winner the organiser may enter."""
    if held.form.known is not Known.RESULT or held.at is None:
        return []
    _winners, equal, open_ = winners_of(held, held.at.number)
    question = tie_rule_of(held.drive.terms).question
    names: dict[int | str, str] = {n: full(player) for n, player in held.players.items()}
    return [
        {
            "table": table,
            "tie_question": question if table in equal else "",
            "sides": [
                ("A", names[seats[0]], names[seats[2]]),
                ("B", names[seats[1]], names[seats[3]]),
            ],
        }
        for table, seats in held.at.tables.items()
        if table in equal or table in open_
    ]


@require_POST
def drive_next(request: HttpRequest, slug: str) -> HttpResponse:
    """Begin the next round; idempotent."""
    visit = visits.scorer_drive(request, slug)
    with refusals_as_messages(request):
        drive = drives.services.next_round(
            drive=visit.drive,
            at=whole_number(request.POST.get("at", "")),
            winners=_winners(request.POST),
            by=request.user,
        )
        words = _("Round %(round)s is in play.") % {"round": drive.at_round}
        messages.success(request, words)
    return redirect("drive_desk", slug)


def _winners(posted: Mapping[str, str]) -> dict[int, str]:
    found = {}
    for name, side in posted.items():
        table = whole_number(name.removeprefix("won-"), most=1000)
        if name.startswith("won-") and table and side in ("A", "B"):
            found[table] = side
    return found


@require_POST
def drive_rounds(request: HttpRequest, slug: str) -> HttpResponse:
    """Change the number of rounds."""
    visit = visits.director_drive(request, slug)
    typed = request.POST.get("rounds", "").strip()
    with refusals_as_messages(request):
        rounds = _rounds(typed)
        drives.services.plan_rounds(drive=visit.drive, rounds=rounds, by=request.user)
        said = _("Rounds: %(rounds)s.") if typed else _("Rounds: no fixed number.")
        messages.success(request, said % {"rounds": rounds})
    return redirect("drive_desk", slug)


def _rounds(typed: str) -> int | None:
    """Read the number of rounds; an empty box means no fixed number."""
    rounds = whole_number(typed, most=1000)
    if typed and rounds is None:
        words = _("“%(typed)s” is no number of rounds: write 1 to %(most)s, or nothing.")
        raise DriveRefused(words % {"typed": typed[:20], "most": MOST_ROUNDS})
    return rounds


TERMS = ("name", "standings_shown", "trumps", "first_word", "second_word", "paper_size")


@require_POST
def drive_terms(request: HttpRequest, slug: str) -> HttpResponse:
    """Change the drive's name, visibility of standings, trumps, words and paper."""
    visit = visits.director_drive(request, slug)
    terms: dict[str, Any] = {
        name: request.POST[name].strip() for name in TERMS if name in request.POST
    }
    if is_asked(request.POST):
        terms["terms"] = terms_read(request.POST)
    with refusals_as_messages(request):
        drives.services.change_terms(drive=visit.drive, by=request.user, **terms)
        messages.success(request, _("Changed."))
    return redirect("drive_desk", slug)


@require_POST
def drive_house(request: HttpRequest, slug: str) -> HttpResponse:
    """Use this drive's settings as the club's defaults, and save its way to score by name."""
    visit = visits.director_drive(request, slug)
    name = request.POST.get("score_name", "").replace("\0", "")[:200]
    with refusals_as_messages(request):
        drives.services.begin_alike(drive=visit.drive, score_name=name, by=request.user)
        messages.success(request, _("New drives of the club begin like this one."))
    return redirect("drive_desk", slug)
