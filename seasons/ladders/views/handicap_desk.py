"""A director settles a season's handicap, gives one by hand, and finds an evening's again."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from boards.whist import WhistError
from clubs import audit
from clubs.views.undoing import offer_undo
from seasons.ladders.errors import HandicapRefused
from seasons.ladders.models import Season
from seasons.ladders.rules.handicaps import (
    EVENINGS,
    GRADES,
    HandicapTerms,
    terms_of,
    written_terms,
)
from seasons.ladders.rules.rule import PERCENT, PLUS
from seasons.ladders.rules.words import terms_in_words
from seasons.ladders.season_tables import terms_of_season
from seasons.ladders.services.handicaps import (
    find_handicaps_again,
    give_handicap,
    set_season_handicap,
)
from seasons.ladders.sheets.handicaps import ranked_evenings, todays_handicaps
from seasons.ladders.views.desk import own_season
from server.numbers import number_or_zero, whole_number
from server.refusals import PageMissing

WHOLE = ("last", "months", "least")


@require_safe
def season_handicap(request: HttpRequest, season: str) -> HttpResponse:
    """Show how a season's handicaps are found, everybody's, and what was given by hand."""
    return _page(request, own_season(request, season))


@require_POST
def season_handicap_act(request: HttpRequest, season: str) -> HttpResponse:
    """Settle the terms, end them, give one by hand, or find an evening's again."""
    found = own_season(request, season)
    try:
        words = _done(request, found)
    except HandicapRefused as refused:
        faults = {each.setting: each.why for each in refused.faults}
        return _page(request, found, faults, "" if faults else str(refused))
    except WhistError as refused:
        messages.error(request, str(refused))
    else:
        acts = audit.history(found).filter(action__startswith="handicap.")
        offer_undo(request, words, acts, reverse("season_handicap", args=[found.slug]))
    return redirect("season_handicap", found.slug)


def _done(request: HttpRequest, season: Season) -> str:
    act, by = request.POST.get("act", ""), request.user
    if act == "give":
        give_handicap(
            season=season,
            player=number_or_zero(request.POST.get("player", "")),
            a_board=request.POST.get("a_board", "")[:40],
            reason=request.POST.get("reason", ""),
            by=by,
        )
        return _("The handicap by hand is saved.")
    if act == "again":
        event = season.club.events.filter(slug=request.POST.get("event", "")[:80]).first()
        if event is None:
            raise PageMissing(_("There is no such evening here."))
        count = find_handicaps_again(season=season, event=event, by=by)
        words = ngettext("%(n)s entry has another.", "%(n)s entries have another.", count)
        return words % {"n": count}
    if act == "end":
        set_season_handicap(season=season, terms=None, by=by)
        return _("The season has no handicap any more.")
    set_season_handicap(season=season, terms=_written(request), by=by)
    return _("The season's handicap is settled.")


def _written(request: HttpRequest) -> dict[str, Any]:
    """What the form says; an empty field is left as usual."""
    written: dict[str, Any] = {}
    for key in ("figure", "source", "newcomers", "share", "par", "cap", *WHOLE):
        text = request.POST.get(key, "").strip()[:40].replace("\N{MINUS SIGN}", "-")
        if text:
            number = whole_number(text) if key in WHOLE else None
            written[key] = text if number is None else number
    return written


def _page(
    request: HttpRequest, season: Season, faults: dict[str, str] | None = None, said: str = ""
) -> HttpResponse:
    terms = terms_of_season(season)
    usual = terms_of({})
    assert isinstance(usual, HandicapTerms)
    people = todays_handicaps(season, terms, in_full=True) if terms else []
    by_hand = {each.player_id: each for each in season.by_hand.all()}
    evenings = [each for each in ranked_evenings(season) if each.is_played_here]
    context = {
        "club": season.club,
        "season": season,
        "rule": terms_in_words(terms) if terms else "",
        "given": {"source": EVENINGS} | written_terms(terms or usual) | _kept(request, faults),
        "faults": faults or {},
        "problems": [said] if said else [],
        "people": [(each, by_hand.get(each.player)) for each in people],
        "players": season.club.players.order_by("name"),
        "evenings": evenings if terms else [],
        "figures": ((PLUS, _("tricks a board")), (PERCENT, _("per cent"))),
        "sources": (
            (EVENINGS, _("the latest evenings")),
            (GRADES, _("the grade, where everybody may see it")),
        ),
        "in_percent": bool(terms and terms.figure == PERCENT),
    }
    status = 400 if faults or said else 200
    return render(request, "seasons/season_handicap.html", context, status=status)


def _kept(request: HttpRequest, faults: dict[str, str] | None) -> dict[str, Any]:
    """What was written stays in the fields where something in it cannot stand."""
    return _written(request) if faults else {}
