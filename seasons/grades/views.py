"""The director's pages of grades: settings, constants, and seeding by grades."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

import scoring.services
from clubs import access
from clubs.models import Club
from clubs.views.error_messages import show_errors_as_messages
from scoring import page_loaders
from seasons.grades.club_plays import are_grades_outdated_quick
from seasons.grades.models import Grade, GradeBook, GradeConstants
from seasons.grades.rating import Constants
from seasons.grades.rating.fit import MIN_EVENINGS
from seasons.grades.services.settings import queue_fit, set_grades, use_constants
from seasons.grades.sheets import load_constants_view
from seasons.grades.tasks import GRADES_JOB
from server.errors import PageNotFound
from server.jobs.outbox import enqueue
from server.jobs.progress import read_progress
from server.numbers import parse_whole_number
from tournaments.models import Event


@require_http_methods(["GET", "POST"])
def edit_grade_settings(request: HttpRequest) -> HttpResponse:
    """Show the settings of grades (GET), or turn grades on or off (POST).

    The page shows only the number of people with a grade, never their grades.
    """
    club = access.get_directed_club(request)
    if request.method == "POST":
        is_on = request.POST.get("is_on") == "yes"
        seen = request.POST.get("seen", "")
        seen = seen if seen in GradeBook.Seen.values else ""
        set_grades(club=club, is_on=is_on, seen=seen, by=request.user)
        if is_on:
            enqueue(GRADES_JOB, club.pk)
            messages.success(request, _("Grades are kept; they are worked out in a moment."))
        else:
            messages.success(request, _("No grades are kept, and the old ones are gone."))
        return _redirect_to_settings(club)
    book = GradeBook.objects.filter(club=club).select_related("club", "because").first()
    context: dict[str, object] = {
        "club": club,
        "book": book,
        "is_on": book is not None and book.is_on,
        "people": book.grades.count() if book else 0,
        "shown": book.grades.filter(shown__isnull=False, partner=None).count() if book else 0,
        "pairs": book.grades.filter(partner__isnull=False).count() if book else 0,
        "behind": book is not None and book.is_on and are_grades_outdated_quick(book),
        "choices": GradeBook.Seen.choices,
        "least": MIN_EVENINGS,
        "owns": access.list_owned_clubs(request).filter(pk=club.pk).exists(),
    }
    if book is not None and book.is_on:
        rows = book.constants.order_by("-pk")
        context |= {
            "constants": load_constants_view(book),
            "fit": rows.filter(done_at=None).first(),
            "job": read_progress(GRADES_JOB, club.pk),
            "before": rows.exclude(done_at=None)[:10],
        }
    return render(request, "seasons/club_grades.html", context)


@require_POST
def start_fit(request: HttpRequest) -> HttpResponse:
    """Start a fit of the constants to the club's events; only for owners of the club."""
    club = _get_owned_club(request)
    words = _("The constants are being fitted in the background; it takes some minutes.")
    return _apply_and_redirect(
        request, club, lambda: queue_fit(club=club, by=request.user), words
    )


@require_POST
def choose_constants(request: HttpRequest) -> HttpResponse:
    """Use the default constants or those of an earlier fit."""
    club = _get_owned_club(request)
    constants = Constants()
    if number := parse_whole_number(request.POST.get("row")):
        rows = GradeConstants.objects.filter(book__club=club).exclude(done_at=None)
        row = rows.filter(pk=number).first()
        if row is None:
            raise PageNotFound(_("There are no such constants here."))
        constants = Constants(row.s0, row.tau, row.q)
    words = _("Grades go by these constants now; they are worked out again in a moment.")
    return _apply_and_redirect(
        request,
        club,
        lambda: use_constants(club=club, constants=constants, by=request.user),
        words,
    )


def _apply_and_redirect(
    request: HttpRequest, club: Club, act: Callable[[], object], words: str
) -> HttpResponse:
    with show_errors_as_messages(request):
        act()
        enqueue(GRADES_JOB, club.pk)
        messages.success(request, words)
    return _redirect_to_settings(club)


def _redirect_to_settings(club: Club) -> HttpResponse:
    return redirect(f"{reverse('club_grades')}?club={club.slug}")


def _get_owned_club(request: HttpRequest) -> Club:
    return access.get_owned_club(request, request.POST.get("club", ""))


@require_POST
def seed_by_grades(request: HttpRequest, slug: str) -> HttpResponse:
    """Seed the event's entries whose players all have a grade; no grade is shown."""
    visit = page_loaders.director_event(request, slug)
    order = _order_by_strength(visit.event)
    if not order:
        words = _("The club keeps no grades, or they know too little of those who are entered.")
        messages.warning(request, words)
        return redirect("seeds", slug)
    numbers = visit.event.entries.values_list("number", flat=True)
    profiles: dict[int, dict[str, int | None]] = {number: {"seed": None} for number in numbers}
    profiles |= {number: {"seed": seed} for seed, number in enumerate(order, start=1)}
    scoring.services.set_entry_profiles(event=visit.event, profiles=profiles, by=request.user)
    told = ngettext(
        "%(count)s entry is seeded by the grades.",
        "%(count)s entries are seeded by the grades.",
        len(order),
    )
    messages.success(request, told % {"count": len(order)})
    return redirect("seeds", slug)


def _order_by_strength(event: Event) -> list[int]:
    """Return the numbers of the entries whose players all have a grade, the strongest first."""
    rows = Grade.objects.filter(
        book__club=event.club, book__is_on=True, shown__isnull=False
    ).values_list("player", "mean")
    known = dict(rows)
    found = []
    for entry in event.entries.prefetch_related("memberships"):
        people = [each.player_id for each in entry.memberships.all()]
        if people and all(person in known for person in people):
            mean = sum(known[person] for person in people) / len(people)
            found.append((-mean, entry.number))
    return [number for _mean, number in sorted(found)]
