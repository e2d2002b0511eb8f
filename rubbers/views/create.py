"""The page that creates a rubber night."""

from dataclasses import dataclass, field
from datetime import date as Date
from typing import Any

from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import get_random_string
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from boards.whist import WhistError
from clubs import permissions
from clubs.models import Club
from clubs.name_order import sort_by_name
from clubs.names.tidy import build_name_key
from clubs.services.people import load_name_keys
from clubs.today import get_club_date
from drives.models import Drive
from drives.names import PastedName, list_doubts, parse_names
from rubbers.errors import RubberRefused
from rubbers.models import RubberNight
from rubbers.rubber.codes import DEFAULT_LAW_CODE_NAME, LAW_CODES_BY_NAME
from rubbers.services import NewRubberPlayer, create_rubber_night
from rubbers.sheets.terms import build_term_fields, parse_terms
from server.numbers import parse_whole_number

MAX_LISTED_PLAYERS = 400
MAX_TEXT_LENGTH = 20_000
MAX_TABLES = 100


@dataclass
class NewNightInput:
    """The values of the form that creates a night."""

    names: str = ""
    chosen_keys: frozenset[str] = frozenset()
    code: str = DEFAULT_LAW_CODE_NAME
    name: str = ""
    date: str = ""
    tables: str = ""
    paper_size: str = "A4"
    sure: str = ""  # "on" if the user has confirmed names that may have been misread
    check_in: str = ""  # "on" if players enter their own names at the tables
    terms: dict[str, Any] = field(default_factory=dict)
    form_key: str = field(default_factory=lambda: get_random_string(24))

    @classmethod
    def from_post(cls, form_data: Any) -> "NewNightInput":
        """Return the values of a posted form."""
        texts = {
            name: form_data.get(name, "").replace("\0", "").strip()[:MAX_TEXT_LENGTH]
            for name in (
                "names",
                "code",
                "name",
                "date",
                "tables",
                "paper_size",
                "form_key",
                "sure",
                "check_in",
            )
            if name in form_data
        }
        chosen_keys = frozenset(form_data.getlist("chosen"))
        return cls(**texts, chosen_keys=chosen_keys, terms=parse_terms(form_data))

    def list_players(self, club: Club) -> list[NewRubberPlayer]:
        """Return all players, those with pasted names first, then those chosen from the club.

        A chosen player is left out if the pasted names have the same name.
        """
        pasted_players = [
            NewRubberPlayer(name=pasted_name.name)
            for pasted_name in self.parse_pasted_names(club)
            if pasted_name.name
        ]
        chosen_pks = [
            player_pk for player_pk in map(parse_whole_number, self.chosen_keys) if player_pk
        ]
        pasted_name_keys = {
            build_name_key(pasted_player.name) for pasted_player in pasted_players
        }
        chosen_players = (
            club.players.filter(pk__in=chosen_pks).order_by("name") if chosen_pks else []
        )
        return pasted_players + [
            NewRubberPlayer(player=player)
            for player in chosen_players
            if build_name_key(player.name) not in pasted_name_keys
        ]

    def parse_pasted_names(self, club: Club) -> list[PastedName]:
        """Parse the names in the pasted text."""
        return parse_names(
            self.names, known_names=load_name_keys(club) if self.names else set()
        )


@require_http_methods(["GET", "POST"])
def show_new_night_page(request: HttpRequest) -> HttpResponse:
    """Show the form; on POST create a night, or show the form with the problem."""
    club = permissions.get_current_club(
        request, request.POST.get("club", request.GET.get("club", ""))
    )
    if club is None:
        raise PermissionDenied(_("Only a club’s director can create a rubber night."))
    timezone.activate(club.zone)
    form_input = (
        NewNightInput.from_post(request.POST)
        if request.method == "POST"
        else _build_empty_input(club)
    )
    problem = ""
    if request.method == "POST":
        try:
            night = _create_rubber_night(request, club, form_input)
        except ValidationError as error:
            problem = " ".join(error.messages)
        except WhistError as error:
            problem = str(error)
        else:
            if night.tables.count() == 1:
                return redirect("rubber_table", night.slug, "1")
            return redirect(_build_next_url(form_input, night))
    people = sort_by_name(
        club.players.all()[: MAX_LISTED_PLAYERS + 1], lambda player: player.name
    )
    context = {
        "club": club,
        "form_input": form_input,
        "doubts": list_doubts(form_input.parse_pasted_names(club)),
        "problem": problem,
        "opens_fold": _has_changed_more_options(club, form_input),
        "people": people if len(people) <= MAX_LISTED_PLAYERS else [],
        "codes": list(LAW_CODES_BY_NAME.values()),
        "terms": build_term_fields("", form_input.terms),
        "sizes": Drive.PaperSize.choices,
    }
    status = 422 if problem else 200
    return render(request, "rubbers/new.html", context, status=status)


def _build_next_url(form_input: NewNightInput, night: RubberNight) -> str:
    """Return the URL of the new night's desk or, if players check in, of its check-in page.

    The check-in page is given the number of tables or of players, so that it can propose a
    number of tables.
    """
    if not form_input.check_in:
        return reverse("rubber_desk", args=[night.slug])
    table_count = parse_whole_number(form_input.tables, maximum=MAX_TABLES)
    player_count = len(form_input.list_players(night.club))
    query = (
        f"?tables={table_count}"
        if table_count
        else f"?people={player_count}"
        if player_count
        else ""
    )
    return reverse("rubber_check_in", args=[night.slug]) + query


def _has_changed_more_options(club: Club, form_input: NewNightInput) -> bool:
    """Return whether a field under "More options" differs from its default."""
    default_input = _build_empty_input(club)
    return (form_input.terms, form_input.paper_size) != (
        default_input.terms,
        default_input.paper_size,
    )


def _build_empty_input(club: Club) -> NewNightInput:
    """Return the form's defaults: no players, and the settings of the club's last night."""
    today = get_club_date(club).isoformat()
    latest_rubber_night = (
        RubberNight.objects.filter(club=club, drive=None).order_by("-pk").first()
    )
    name = _("Rubber night")
    if latest_rubber_night is None:
        return NewNightInput(name=name, date=today)
    return NewNightInput(
        name=latest_rubber_night.name,
        date=today,
        code=latest_rubber_night.code,
        terms=latest_rubber_night.terms,
        paper_size=latest_rubber_night.paper_size,
    )


def _create_rubber_night(
    request: HttpRequest, club: Club, form_input: NewNightInput
) -> RubberNight:
    try:
        date = Date.fromisoformat(form_input.date)
    except ValueError:
        raise ValidationError(_("Enter the date as 2026-11-27.")) from None
    table_count = parse_whole_number(form_input.tables, maximum=MAX_TABLES)
    if form_input.tables and table_count is None:
        message = _("“%(typed)s” isn’t a number of tables. Enter 1–100 or leave it empty.")
        raise RubberRefused(message % {"typed": form_input.tables[:20]})
    if not form_input.sure and list_doubts(form_input.parse_pasted_names(club)):
        raise RubberRefused(_("Check how the names were read, then tick the box."))
    return create_rubber_night(
        club=club,
        name=form_input.name or _("Rubber night"),
        date=date,
        code=form_input.code,
        terms=form_input.terms,
        players=form_input.list_players(club),
        tables=table_count,
        paper_size=form_input.paper_size,
        should_check_in_players=bool(form_input.check_in),
        form_key=form_input.form_key or None,
        by=request.user,
    )
