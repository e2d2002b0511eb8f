"""A director's seasons and ladders: read from a file, changed, closed, each act undone."""

from datetime import date as Date

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from boards.whist import WhistError
from clubs import access, audit
from clubs.models import Club
from clubs.today import today_at
from clubs.views.undoing import offer_undo, undo_act
from seasons.ladders.errors import LadderRefused
from seasons.ladders.forms import LadderForm, SeasonForm
from seasons.ladders.inverses import INVERSES
from seasons.ladders.models import Ladder, Season
from seasons.ladders.rules.presets import PRESETS, preset
from seasons.ladders.rules.words import rule_in_words
from seasons.ladders.season_tables import rule_of_ladder, terms_of_season
from seasons.ladders.services.importing import begin_season, import_season
from seasons.ladders.services.ladders import (
    change_season,
    close_season,
    remove_ladder,
    save_ladder,
)
from seasons.ladders.sheets.season_export import season_document
from server.downloads import json_file
from server.refusals import PageMissing

MAX_FILE_BYTES = 5_000_000


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
    return json_file(season_document(found), f"{found.slug}.json")


@require_POST
def season_act_undo(request: HttpRequest, season: str, pk: int) -> HttpResponse:
    """Take one act of a season back."""
    undo_act(request, pk, INVERSES, season=own_season(request, season))
    return redirect("own_seasons")


def _read(request: HttpRequest) -> list[str]:
    """Read the file that was sent; say what is wrong with it."""
    sent, club = request.FILES.get("file"), access.club_at_hand(request)
    if sent is None or sent.size is None:
        return [_("Choose a file first.")]
    if sent.size > MAX_FILE_BYTES:
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
        raise PageMissing(_("There is no such season of yours."))
    return found


USUAL_POINTS = ("4", "3", "2", "1")
USUAL_COUNT = 8


@require_http_methods(["GET", "POST"])
def season_ladders(request: HttpRequest, season: str) -> HttpResponse:
    """List a season's ladders, each with its rule as a sentence; change its name and days."""
    found = own_season(request, season)
    problems: list[str] = []
    if request.method == "POST":
        problems = _changed(request, found)
        if not problems:
            return redirect("season_ladders", found.slug)
    terms = terms_of_season(found)
    rows = found.ladders.prefetch_related("handicaps")
    context = {
        "season": found,
        "ladders": [(row, rule_in_words(rule_of_ladder(row, terms))) for row in rows],
        "presets": [(each.key, each.name(), each.words()) for each in PRESETS],
        "problems": problems,
    }
    status = 400 if problems else 200
    return render(request, "seasons/season_ladders.html", context, status=status)


@require_http_methods(["GET", "POST"])
def ladder_edit(request: HttpRequest, season: str, ladder: str) -> HttpResponse:
    """Settle one ladder's name and rule."""
    found = own_season(request, season)
    row = found.ladders.filter(slug=ladder).first()
    if row is None:
        raise PageMissing(_("There is no such ladder in this season."))
    return _form(request, found, row, LadderForm(name=row.name, rule=row.rule))


@require_http_methods(["GET", "POST"])
def ladder_new(request: HttpRequest, season: str) -> HttpResponse:
    """Add a ladder to a season, begun like one of the usual kinds."""
    found = own_season(request, season)
    like = next((each for each in PRESETS if each.key == request.GET.get("like")), PRESETS[0])
    rule = preset(like.key).rule(USUAL_COUNT, USUAL_POINTS)
    return _form(request, found, None, LadderForm(name=like.name(), rule=rule))


@require_POST
def ladder_remove(request: HttpRequest, season: str, ladder: str) -> HttpResponse:
    """Take a ladder away, with undo."""
    found = own_season(request, season)
    row = found.ladders.filter(slug=ladder).first()
    remove_ladder(season=found, ladder=ladder, by=request.user)
    if row is None:
        messages.info(request, _("It is not there any more."))
    else:
        _undo(request, found, _("%(ladder)s is removed.") % {"ladder": row.name})
    return redirect("season_ladders", found.slug)


def _form(
    request: HttpRequest, season: Season, row: Ladder | None, form: LadderForm
) -> HttpResponse:
    if request.method == "POST":
        form = LadderForm(request.POST, rule=row.rule if row else None)
        if form.is_valid() and (saved := _saved(request, season, row, form)) is not None:
            _undo(request, season, _("%(ladder)s is saved.") % {"ladder": saved.name})
            return redirect("season_ladders", season.slug)
    context = {"season": season, "ladder": row, "form": form}
    status = 400 if form.errors else 200
    return render(request, "seasons/ladder_form.html", context, status=status)


def _saved(
    request: HttpRequest, season: Season, row: Ladder | None, form: LadderForm
) -> Ladder | None:
    """Save what the form says; None where its rule cannot stand, which the fields then say."""
    try:
        return save_ladder(
            season=season,
            name=form.cleaned_data["name"],
            rule=form.rule(),
            ladder=row.slug if row else "",
            by=request.user,
        )
    except LadderRefused as refused:
        if not refused.faults:
            form.add_error(None, str(refused))
        for fault in refused.faults:
            form.add_error(fault.setting if fault.setting in form.fields else None, fault.why)
        return None


def _changed(request: HttpRequest, season: Season) -> list[str]:
    """Give the season the name and the days that were written; say what is wrong with them."""
    try:
        days = [Date.fromisoformat(request.POST.get(key, "")) for key in ("first", "last")]
    except ValueError:
        return [_("Write both days, such as 2026-09-01.")]
    name = request.POST.get("name", "")
    try:
        change_season(season=season, name=name, first=days[0], last=days[1], by=request.user)
    except WhistError as refused:
        return [str(refused)]
    _undo(request, season, _("The season is saved."))
    return []


def _undo(request: HttpRequest, season: Season, words: str) -> None:
    acts = audit.history(season)
    offer_undo(request, words, acts, reverse("season_ladders", args=[season.slug]))
