"""The director's pages of grades: settings, and seeding by grades."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

import scoring.services
from clubs import permissions
from clubs.models import Club
from scoring import page_loaders
from seasons.grades.club_plays import may_grades_be_outdated
from seasons.grades.models import Grade, GradeBook
from seasons.grades.services.settings import set_grades_enabled
from seasons.grades.tasks import GRADES_JOB
from server.jobs.outbox import enqueue
from server.jobs.progress import read_progress
from tournaments.models import Event


@require_http_methods(["GET", "POST"])
def edit_grade_settings(request: HttpRequest) -> HttpResponse:
    """Show the settings of grades (GET), or turn grades on or off (POST).

    The page shows only the number of people with a grade, never their grades.
    """
    club = permissions.get_directed_club(request)
    if request.method == "POST":
        is_on = request.POST.get("is_on") == "yes"
        visibility = request.POST.get("seen", "")
        visibility = visibility if visibility in GradeBook.Visibility.values else ""
        set_grades_enabled(club=club, is_on=is_on, visibility=visibility, by=request.user)
        if is_on:
            enqueue(GRADES_JOB, club.pk)
            messages.success(request, _("Grades are on. They’ll appear in a moment."))
        else:
            messages.success(request, _("Grades are off and deleted."))
        return _redirect_to_settings(club)
    grade_book = GradeBook.objects.filter(club=club).select_related("club", "because").first()
    context: dict[str, object] = {
        "club": club,
        "book": grade_book,
        "is_on": grade_book is not None and grade_book.is_on,
        "people": grade_book.grades.count() if grade_book else 0,
        "shown": grade_book.grades.filter(shown__isnull=False, partner=None).count()
        if grade_book
        else 0,
        "pairs": grade_book.grades.filter(partner__isnull=False).count() if grade_book else 0,
        "behind": grade_book is not None
        and grade_book.is_on
        and may_grades_be_outdated(grade_book),
        "choices": GradeBook.Visibility.choices,
    }
    if grade_book is not None and grade_book.is_on:
        context["job"] = read_progress(GRADES_JOB, club.pk)
    return render(request, "seasons/club_grades.html", context)


def _redirect_to_settings(club: Club) -> HttpResponse:
    return redirect(f"{reverse('club_grades')}?club={club.slug}")


@require_POST
def seed_entries_by_grades(request: HttpRequest, slug: str) -> HttpResponse:
    """Seed the event's entries whose players all have a grade; no grade is shown."""
    access = page_loaders.load_director_event(request, slug)
    entry_numbers = _list_entry_numbers_by_strength(access.event)
    if not entry_numbers:
        message = _("No grades are known for these players.")
        messages.warning(request, message)
        return redirect("seeds", slug)
    all_entry_numbers = access.event.entries.values_list("number", flat=True)
    profiles_by_number: dict[int, dict[str, int | None]] = {
        entry_number: {"seed": None} for entry_number in all_entry_numbers
    }
    profiles_by_number |= {
        entry_number: {"seed": seed} for seed, entry_number in enumerate(entry_numbers, start=1)
    }
    scoring.services.set_entry_profiles(
        event=access.event, profiles_by_number=profiles_by_number, by=request.user
    )
    seeding_message = ngettext(
        "%(count)s seeded by grade.",
        "%(count)s seeded by grade.",
        len(entry_numbers),
    )
    messages.success(request, seeding_message % {"count": len(entry_numbers)})
    return redirect("seeds", slug)


def _list_entry_numbers_by_strength(event: Event) -> list[int]:
    """Return the numbers of the entries whose players all have a grade, the strongest first."""
    grade_rows = Grade.objects.filter(
        book__club=event.club, book__is_on=True, shown__isnull=False
    ).values_list("player", "mean")
    mean_grades_by_player = dict(grade_rows)
    negated_means_and_entry_numbers = []
    for entry in event.entries.prefetch_related("memberships"):
        player_pks = [membership.player_id for membership in entry.memberships.all()]
        if player_pks and all(player_pk in mean_grades_by_player for player_pk in player_pks):
            mean = sum(mean_grades_by_player[player_pk] for player_pk in player_pks) / len(
                player_pks
            )
            negated_means_and_entry_numbers.append((-mean, entry.number))
    return [
        entry_number for _negated_mean, entry_number in sorted(negated_means_and_entry_numbers)
    ]
