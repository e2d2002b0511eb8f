"""The bracket: laid by seeds, its matches decided, losers sent to a plate."""

from dataclasses import replace
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods, require_safe

import scoring.services
from boards.whist import WhistError
from clubs import audit
from clubs.views.undoing import offer_undo
from scoring import visits
from scoring.errors import LaterMatchBegun, StageRefused
from scoring.models import Knockout
from scoring.reckoning.order import seed_order
from scoring.services.knockouts import is_seated
from scoring.sheets.brackets import BracketMatch, BracketSheet, bracket_sheet
from scoring.views.public import frame
from server.numbers import number_or_zero
from server.refusals import Missing
from tournaments.addresses import address
from tournaments.models import Event, Session
from tournaments.services.swiss import LEAST, LEAST_THREE_WAY
from tournaments.stages.brackets import bracket as bracket_of_seeds
from tournaments.stages.brackets import three_way_serves
from tournaments.visits import Visit

ACTS = ("knockout.settled", "match.decided")


class BracketForm(forms.Form):
    """How the bracket is laid."""

    segments = forms.IntegerField(
        label=gettext_lazy("Segments of a match"),
        min_value=1,
        max_value=8,
        help_text=gettext_lazy("The line-up may change between them."),
    )
    seed_wins = forms.BooleanField(
        label=gettext_lazy("A match level after two extra boards goes to the higher seed"),
        required=False,
    )
    three_way = forms.BooleanField(
        label=gettext_lazy("Three-way matches in round 1, so nobody has a bye"),
        required=False,
        help_text=gettext_lazy(
            "Three play half a match against both others. Matches then have two halves: "
            "choose an even number of boards."
        ),
    )

    def __init__(self, *args: Any, event: Event, entrants: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if event.contest != Event.Contest.TEAMS or not three_way_serves(entrants):
            del self.fields["three_way"]


class PlayForm(forms.Form):
    """How the matches are played in a session of the event."""

    boards_a_round = forms.IntegerField(
        label=gettext_lazy("Boards of a segment"), min_value=1, max_value=24, initial=4
    )
    copies = forms.IntegerField(
        label=gettext_lazy("Copies of each board"), min_value=1, max_value=200, initial=1
    )
    own_boards = forms.BooleanField(
        label=gettext_lazy("Each match has boards of its own, so no copies are made"),
        required=False,
    )

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if event.contest != Event.Contest.TEAMS:
            del self.fields["own_boards"]  # pairs are compared over the same boards


@require_http_methods(["GET", "POST"])
def bracket_desk(request: HttpRequest, slug: str) -> HttpResponse:
    """Lay the bracket, write down what its matches have come to, send losers to a plate."""
    visit = visits.director_event(request, slug)
    event = visit.event
    problem, asked = "", ""
    if request.method == "POST":
        try:
            return _act(request, visit)
        except WhistError as refused:
            problem = str(refused)
            is_asked = isinstance(refused, LaterMatchBegun)
            asked = request.POST.get("match", "") if is_asked else ""
    row = Knockout.objects.filter(event=event).first()
    sheet = bracket_sheet(event, all_results=True)
    if problem and sheet:
        sheet = _with_what_was_typed(sheet, request)
    entries = {entry.number: entry for entry in event.entries.all()}
    order = row.seeds if row else seed_order(event)
    form = BracketForm(event=event, entrants=len(order), initial=_as_laid(row))
    context = {
        "visit": visit,
        "event": event,
        "problem": problem,
        "asked": asked,
        "sent": request.POST,
        "sheet": sheet,
        "form": form,
        "segments": range(row.segments) if row else (),
        "seeds": [(seed, entries[number]) for seed, number in enumerate(order, 1)],
        "fits": event.contest in (Event.Contest.PAIRS, Event.Contest.TEAMS),
        "threes": _threes(len(order)) if "three_way" in form.fields else "",
        "is_begun": bool(row and row.matches) or is_seated(event),
        "play": PlayForm(event=event) if _may_play(visit, row) else None,
        "is_drawn": event.is_drawn,
    }
    return render(request, "scoring/bracket_desk.html", context, status=400 if problem else 200)


def _as_laid(row: Knockout | None) -> dict[str, Any]:
    """On which terms the bracket is laid; where there is none, what the form begins with."""
    if row is None:
        return {"segments": 1}
    return {
        "segments": row.segments,
        "seed_wins": row.seed_wins,
        "three_way": row.three_way,
    }


def _with_what_was_typed(sheet: BracketSheet, request: HttpRequest) -> BracketSheet:
    """The bracket with the margins that were refused in their fields, to be put right there."""
    key, typed = request.POST.get("match", ""), request.POST.getlist("margin")

    def put(match: BracketMatch) -> BracketMatch:
        most = match.planned * (len(match.couples) or 1)
        if match.key != key or len(typed) != most:
            return match
        return replace(match, margins=tuple(each[:8] for each in typed), is_typed=True)

    rounds = (replace(each, matches=tuple(map(put, each.matches))) for each in sheet.rounds)
    return replace(sheet, rounds=tuple(rounds))


def _threes(entrants: int) -> str:
    """What three-way matches would make of round 1."""
    first = bracket_of_seeds(entrants, three_way=True)[0]
    threes = [tie for tie in first if tie.third is not None]
    others = len(first) - len(threes)
    sizes = [
        ngettext("%(number)d match of three", "%(number)d matches of three", len(threes))
        % {"number": len(threes)}
    ]
    if others:
        sizes.append(
            ngettext("%(number)d match of two", "%(number)d matches of two", others)
            % {"number": others}
        )
    told = _("With three-way matches nobody has a bye. Round 1: %(sizes)s.")
    if len(threes[0].leads_to) > 1:
        goes_on = _("Of three the best two go on.")
    else:
        goes_on = _("Of three the best goes on.")
    return f"{told % {'sizes': ', '.join(sizes)}} {goes_on}"


def _may_play(visit: Visit, row: Knockout | None) -> bool:
    if row is None or visit.session.state != Session.State.PLANNED:
        return False
    is_free = not row.matches and not is_seated(visit.event, but=visit.session)
    least = LEAST_THREE_WAY if row.three_way else LEAST
    return is_free and len(row.seeds) >= least  # fewer type their margins


def _act(request: HttpRequest, visit: Visit) -> HttpResponse:
    act, event = request.POST.get("act", ""), visit.event
    if act == "lay":
        seeds = seed_order(event)
        form = BracketForm(request.POST, event=event, entrants=len(seeds))
        if form.is_valid():
            scoring.services.settle_knockout(
                event=event, seeds=seeds, by=request.user, **form.cleaned_data
            )
            _tell(request, visit, _("The bracket is laid by the seeds."))
    elif act == "remove":
        scoring.services.settle_knockout(event=event, seeds=[], by=request.user)
        _tell(request, visit, _("The bracket is removed."))
    elif act == "plate":
        name = request.POST.get("name", "").strip()[:40] or _("Plate")
        made = scoring.services.make_plate(
            event=event,
            round_=number_or_zero(request.POST.get("round", "")),
            name=name,
            by=request.user,
        )
        words = _("%(plate)s is an event of its own, with a bracket.") % {"plate": made.name}
        messages.success(request, words)
        return redirect("bracket_desk", address(made.slug, 1))
    elif act == "play":
        return _play(request, visit)
    else:
        _match(request, visit)
    return redirect("bracket_desk", visit.address)


def _play(request: HttpRequest, visit: Visit) -> HttpResponse:
    form = PlayForm(request.POST, event=visit.event)
    if not form.is_valid():
        raise StageRefused(_("Choose how many boards a segment has, and how many copies."))
    session = visits.session_of(visit)
    scoring.services.seat_knockout(session=session, by=request.user, **form.cleaned_data)
    messages.success(request, _("The first matches have their tables."))
    return redirect("draws", visit.address)


def _match(request: HttpRequest, visit: Visit) -> None:
    number, _dash, at = request.POST.get("match", "").partition("-")
    key = number_or_zero(number), number_or_zero(at)
    sent = request.POST
    is_open = sent.get("act") == "open"
    margins = [] if is_open else _filled(sent.getlist("margin"))
    extra = [] if is_open else _extra(sent.getlist("extra"))
    winner = number_or_zero(sent.get("winner", "")) or None
    second = number_or_zero(sent.get("second", "")) or None
    scoring.services.record_match(
        event=visit.event,
        key=key,
        margins=margins,
        extra=extra,
        winner=None if is_open else winner,
        second=None if is_open else second,
        later=sent.get("later", ""),
        by=request.user,
    )
    words = _("Round %(round)s, match %(match)s is written down.")
    _tell(request, visit, words % {"round": key[0], "match": key[1]})


def _filled(sent: list[str]) -> list[str]:
    """The margins from the first field on. Raises StageRefused where one is left out."""
    margins = [each.strip() for each in sent]
    while margins and not margins[-1]:
        margins.pop()
    if not all(margins):
        raise StageRefused(_("A margin is left out: fill them in from the first on."))
    return margins


def _extra(sent: list[str]) -> list[str]:
    """The margins of extra boards; of a three-way match three at a time, where two may rest."""
    width = 3 if len(sent) > 1 else 1
    sets = [sent[at : at + width] for at in range(0, len(sent), width)]
    return [each.strip() or "0" for part in sets if "".join(part).strip() for each in part]


def _tell(request: HttpRequest, visit: Visit, words: str) -> None:
    acts = audit.history(visit.event).filter(action__in=ACTS)
    offer_undo(request, words, acts, reverse("bracket_desk", args=[visit.address]))


@login_not_required
@require_safe
def bracket(request: HttpRequest, slug: str) -> HttpResponse:
    """Show everybody the bracket as it stands."""
    visit = visits.public_event(slug)
    sheet = bracket_sheet(visit.event)
    if sheet is None:
        raise Missing(_("This event has no bracket."))
    context: dict[str, Any] = frame(visit) | {"sheet": sheet}
    return render(request, "scoring/bracket.html", context)
