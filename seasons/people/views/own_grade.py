"""A person's grade evening by evening: for the person alone, or where both let for all."""

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from boards.whist import WhistError
from clubs.audit import Guest
from clubs.models import PersonLink, Player
from seasons.grades.services.settings import hide_grade
from seasons.grades.sheets.grades import constants_said, drawn, met_on, step_at, steps_of
from seasons.grades.stamps import is_behind_quickly
from seasons.grades.tasks import GRADES
from seasons.grades.visibility import book_of, is_for_everybody
from seasons.people.views.me import own
from server.jobs.outbox import expedite_job
from server.refusals import Missing

LISTED = 60
"""So many evenings are listed, the newest ones."""


@require_safe
@own
def me_grade(request: HttpRequest, link: PersonLink) -> HttpResponse:
    """Show a person the own grade evening by evening, and whether others see it."""
    return _history(request, link.player, is_own=True)


@require_safe
@own
def me_grade_evening(request: HttpRequest, link: PersonLink, event: str) -> HttpResponse:
    """Open one evening of the own grade."""
    return _evening(request, link.player, event, is_own=True)


@require_POST
@own
def me_grade_hide(request: HttpRequest, link: PersonLink) -> HttpResponse:
    """Show the own grade to nobody else, or to those again to whom the club shows grades."""
    by = Guest(Guest.Kind.PERSON, str(link.player_id))
    try:
        hide_grade(player=link.player, is_hidden=request.POST.get("hidden") == "yes", by=by)
    except WhistError as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, _("It is as you wish from now on."))
    return redirect("me_grade")


@login_not_required
@require_safe
def player_grade(request: HttpRequest, pk: int) -> HttpResponse:
    """Show everybody a grade evening by evening, where the club and the person let them."""
    return _history(request, _open(pk), is_own=False)


@login_not_required
@require_safe
def player_grade_evening(request: HttpRequest, pk: int, event: str) -> HttpResponse:
    """Open one evening of such a grade."""
    return _evening(request, _open(pk), event, is_own=False)


def _open(pk: int) -> Player:
    found = Player.objects.select_related("club").filter(pk=pk).first()
    if found is None or not is_for_everybody(found):  # one answer: it tells not who hides
        raise Missing(_("There is no grade here for everybody."))
    return found


def _history(request: HttpRequest, player: Player, *, is_own: bool) -> HttpResponse:
    book = book_of(player.club_id)
    steps = steps_of(player, for_everybody=not is_own) if book else []
    behind = book is not None and is_behind_quickly(book)
    if behind:
        expedite_job(GRADES, player.club_id)
    context = {
        "club": player.club,
        "player": player,
        "is_own": is_own,
        "frame": "frames/base.html" if is_own else "frames/public.html",
        "book": book,
        "constants": constants_said(book) if book else None,
        "behind": behind,
        "now": steps[0].new if steps else None,
        "newest": steps[0] if steps else None,
        "steps": steps[:LISTED],
        "count": len(steps),
        "drawing": drawn(steps),
        "hidden": is_own and hasattr(player, "hidden_grade"),
    }
    return render(request, "seasons/grade.html", context)


def _evening(request: HttpRequest, player: Player, slug: str, *, is_own: bool) -> HttpResponse:
    step = step_at(player, slug, for_everybody=not is_own)
    if step is None:
        raise Missing(_("This evening says nothing of a grade here."))
    context = {
        "club": player.club,
        "player": player,
        "is_own": is_own,
        "frame": "frames/base.html" if is_own else "frames/public.html",
        "step": step,
        "met": met_on(player, step.event),
    }
    return render(request, "seasons/grade_evening.html", context)
