"""A director's seasons: read from a file, closed, and each of it taken back."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

import clubs.undoing
from boards.whist import WhistError
from clubs import access, audit
from clubs.models import Club
from clubs.today import today_at
from clubs.views.undoing import offer_undo
from seasons.ladders.forms.seasons import SeasonForm
from seasons.ladders.inverses import INVERSES
from seasons.ladders.models import Season
from seasons.ladders.services.closing import close_season
from seasons.ladders.services.importing import begin_season, import_season
from seasons.ladders.sheets.season_export import season_document
from server.numbers import number_or_zero
from server.refusals import Missing

LARGEST = 5_000_000


@require_http_methods(["GET", "POST"])
def own_seasons(request: HttpRequest) -> HttpResponse:
    """The seasons of the clubs that somebody directs; a form or a file makes one more."""
    problems: list[str] = []
    club = access.club_at_hand(request)
    today = today_at(club)
    form = SeasonForm(today=today)
    if request.method == "POST" and request.POST.get("act") == "begin":
        form = SeasonForm(request.POST, today=today)
        if _begun(request, form, club):
            return redirect("own_seasons")
        problems = [] if club else [_("Your login directs no club: a season needs one.")]
    elif request.method == "POST":
        problems = _read(request)
        if not problems:
            return redirect("own_seasons")
    found = Season.objects.filter(club__in=access.clubs_of(request)).select_related("club")
    context = {
        "seasons": found.prefetch_related("ladders", "versions"),
        "problems": problems,
        "form": form,
        "club": club,
    }
    status = 400 if problems or form.errors else 200
    return render(request, "seasons/own_seasons.html", context, status=status)


def _begun(request: HttpRequest, form: SeasonForm, club: Club | None) -> bool:
    """Set up the season that a form tells of; False where something is wrong with it."""
    if not form.is_valid() or club is None:
        return False
    data = form.cleaned_data
    try:
        season = begin_season(
            club=club,
            name=data["name"],
            first=data["first_day"],
            last=data["last_day"],
            ladders=form.ladders_wanted(),
            by=request.user,
        )
    except WhistError as refused:
        form.add_error(None, list(getattr(refused, "problems", None) or [str(refused)]))
        return False
    acts = audit.history(season).filter(action="season.imported")
    words = _("%(season)s is set up.") % {"season": season.name}
    offer_undo(request, words, acts, reverse("own_seasons"))
    return True


@require_POST
def season_close(request: HttpRequest, season: str) -> HttpResponse:
    """Keep the ladders of a season as they stand."""
    found = own_season(request, season)
    version = close_season(season=found, by=request.user)
    words = _("Version %(number)s of the ladders of %(season)s is kept.")
    words %= {"number": version.number, "season": found.name}
    acts = audit.history(found).filter(action="season.closed")
    offer_undo(request, words, acts, reverse("own_seasons"))
    return redirect("own_seasons")


@require_safe
def season_file(request: HttpRequest, season: str) -> HttpResponse:
    """Hand out a season as a file, names in full: for another computer of the club."""
    found = own_season(request, season)
    options = {"ensure_ascii": False, "indent": 1}
    answer = JsonResponse(season_document(found), json_dumps_params=options)
    answer["Content-Disposition"] = f'attachment; filename="{found.slug}.json"'
    return answer


@require_POST
def season_act_undo(request: HttpRequest, season: str, pk: int) -> HttpResponse:
    """Take one act of a season back."""
    found = own_season(request, season)
    act = audit.history(found).filter(pk=number_or_zero(str(pk))).first()
    if act is None:
        raise Missing(_("There is no such act here."))
    try:
        clubs.undoing.take_back(
            audit.history(found), act, INVERSES, season=found, by=request.user
        )
    except WhistError as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, _("Taken back."))
    return redirect("own_seasons")


def _read(request: HttpRequest) -> list[str]:
    """Read the file that was sent; say what is wrong with it."""
    sent, club = request.FILES.get("file"), access.club_at_hand(request)
    if sent is None or sent.size is None:
        return [_("Choose a file first.")]
    if sent.size > LARGEST:
        return [_("The file is larger than 5 MB.")]
    if club is None:
        return [_("Your login directs no club, so the season would have no home.")]
    try:
        season = import_season(document=sent.read(), club=club, by=request.user)
    except WhistError as refused:
        return list(getattr(refused, "problems", None) or [str(refused)])
    acts = audit.history(season).filter(action="season.imported")
    words = _("%(season)s is read.") % {"season": season.name}
    offer_undo(request, words, acts, reverse("own_seasons"))
    return []


def own_season(request: HttpRequest, slug: str) -> Season:
    """A season of a club that the login directs, or nothing."""
    rows = Season.objects.filter(club__in=access.clubs_of(request)).select_related("club")
    found = rows.filter(slug=slug).first()
    if found is None:
        raise Missing(_("There is no such season of yours."))
    return found
