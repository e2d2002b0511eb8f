"""The page that creates a rubber night from names and a code; the rest has defaults."""

from dataclasses import dataclass, field
from datetime import date as Date
from typing import Any

from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.crypto import get_random_string
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from boards.whist import WhistError
from clubs import access
from clubs.models import Club
from clubs.names.tidy import name_key
from clubs.services.people import known_keys
from clubs.today import today_at
from drives.models import Drive
from drives.names import PastedName, doubts_of, read_names
from rubbers.errors import RubberRefused
from rubbers.models import RubberNight
from rubbers.rubber.codes import CODES, USUAL_CODE
from rubbers.services import Guest, begin_rubbers
from rubbers.sheets.terms import asked_terms, read_terms
from server.numbers import whole_number

MOST_LISTED = 400
MOST_TEXT = 20_000


@dataclass
class NewNightInput:
    """The values of the form; everything but the players has a default."""

    names: str = ""
    chosen: frozenset[str] = frozenset()
    code: str = USUAL_CODE
    name: str = ""
    date: str = ""
    tables: str = ""
    paper_size: str = "A4"
    sure: str = ""  # the user confirmed names that may be misread
    terms: dict[str, Any] = field(default_factory=dict)
    form_key: str = field(default_factory=lambda: get_random_string(24))

    @classmethod
    def of(cls, posted: Any) -> "NewNightInput":
        """Read a posted form."""
        words = {
            name: posted.get(name, "").replace("\0", "").strip()[:MOST_TEXT]
            for name in (
                "names",
                "code",
                "name",
                "date",
                "tables",
                "paper_size",
                "form_key",
                "sure",
            )
            if name in posted
        }
        chosen = frozenset(posted.getlist("chosen"))
        return cls(**words, chosen=chosen, terms=read_terms(posted))

    def players(self, club: Club) -> list[Guest]:
        """All people who are to play, the pasted names first."""
        guests = [Guest(name=each.name) for each in self.pasted(club) if each.name]
        keys = [key for key in map(whole_number, self.chosen) if key]
        there = {name_key(each.name) for each in guests}
        people = club.players.filter(pk__in=keys).order_by("name") if keys else []
        return guests + [Guest(player=p) for p in people if name_key(p.name) not in there]

    def pasted(self, club: Club) -> list[PastedName]:
        """The parsed names of the pasted text."""
        return read_names(self.names, known=known_keys(club) if self.names else set())


@require_http_methods(["GET", "POST"])
def rubber_new(request: HttpRequest) -> HttpResponse:
    """Create a night, or show the problem; all or nothing is written."""
    club = access.club_at_hand(request, request.POST.get("club", request.GET.get("club", "")))
    if club is None:
        raise PermissionDenied(_("Only a director of a club can begin a rubber night."))
    timezone.activate(club.zone)
    asked = NewNightInput.of(request.POST) if request.method == "POST" else _first(club)
    problem = ""
    if request.method == "POST":
        try:
            night = _begun(request, club, asked)
        except ValidationError as refused:
            problem = " ".join(refused.messages)
        except WhistError as refused:
            problem = str(refused)
        else:
            if night.tables.count() == 1:
                return redirect("rubber_table", night.slug, "1")
            return redirect("rubber_desk", night.slug)
    people = list(club.players.order_by("name")[: MOST_LISTED + 1])
    context = {
        "club": club,
        "asked": asked,
        "doubts": doubts_of(asked.pasted(club)),
        "problem": problem,
        "people": people if len(people) <= MOST_LISTED else [],
        "codes": list(CODES.values()),
        "terms": asked_terms("", asked.terms),
        "sizes": Drive.PaperSize.choices,
    }
    status = 422 if problem else 200
    return render(request, "rubbers/new.html", context, status=status)


def _first(club: Club) -> NewNightInput:
    """Return an empty form with the code and the terms of the club's last night."""
    today = today_at(club).isoformat()
    last = RubberNight.objects.filter(club=club, drive=None).order_by("-pk").first()
    name = _("Rubber night")
    if last is None:
        return NewNightInput(name=name, date=today)
    return NewNightInput(
        name=last.name,
        date=today,
        code=last.code,
        terms=last.terms,
        paper_size=last.paper_size,
    )


def _begun(request: HttpRequest, club: Club, asked: NewNightInput) -> RubberNight:
    try:
        date = Date.fromisoformat(asked.date)
    except ValueError:
        raise ValidationError(_("Write the date as 2026-11-27.")) from None
    tables = whole_number(asked.tables, most=100)
    if asked.tables and tables is None:
        words = _("“%(typed)s” is no number of tables: write 1 to 100, or nothing.")
        raise RubberRefused(words % {"typed": asked.tables[:20]})
    if not asked.sure and doubts_of(asked.pasted(club)):
        raise RubberRefused(_("Check how the names were read, then tick the box."))
    return begin_rubbers(
        club=club,
        name=asked.name or _("Rubber night"),
        date=date,
        code=asked.code,
        terms=asked.terms,
        players=asked.players(club),
        tables=tables,
        paper_size=asked.paper_size,
        form_key=asked.form_key or None,
        by=request.user,
    )
