"""Whether a club keeps grades, and who sees them."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from clubs import access
from seasons.models import GradeBook
from seasons.services.grades import is_behind, set_grades
from seasons.tasks import GRADES
from server.jobs.wanting import want
from server.refusals import Missing


@require_http_methods(["GET", "POST"])
def club_grades(request: HttpRequest) -> HttpResponse:
    """Switch grades on or off; how many have one, and never a list of them."""
    club = access.club_at_hand(request, request.POST.get("club", request.GET.get("club", "")))
    if club is None:
        raise Missing(_("Your login directs no club."))
    if request.method == "POST":
        is_on = request.POST.get("is_on") == "yes"
        seen = request.POST.get("seen", "")
        seen = seen if seen in GradeBook.Seen.values else ""
        set_grades(club=club, is_on=is_on, seen=seen, by=request.user)
        if is_on:
            want(GRADES, club.pk)
            messages.success(request, _("Grades are kept; they are worked out in a moment."))
        else:
            messages.success(request, _("No grades are kept, and those there were are gone."))
        return redirect(f"{reverse('club_grades')}?club={club.slug}")
    book = GradeBook.objects.filter(club=club).first()
    context = {
        "club": club,
        "book": book,
        "is_on": book is not None and book.is_on,
        "people": book.grades.count() if book else 0,
        "shown": book.grades.filter(shown__isnull=False, partner=None).count() if book else 0,
        "pairs": book.grades.filter(partner__isnull=False).count() if book else 0,
        "behind": book is not None and book.is_on and is_behind(book),
        "choices": GradeBook.Seen.choices,
    }
    return render(request, "seasons/club_grades.html", context)
