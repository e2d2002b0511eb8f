"""Views of a club's own points tables, and of the names that it uses for contracts."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

import drives.services
from boards.whist import WhistError
from clubs import access, audit
from clubs.models import Club
from clubs.today import get_club_date
from clubs.views.error_messages import show_errors_as_messages
from clubs.views.undo_messages import offer_undo
from drives.contract_words import apply_contract_words, load_contract_words
from drives.errors import UnreadableDrive
from drives.games import GAMES, find_game
from drives.games.contracts import Game
from drives.games.house import build_points_table
from drives.house_tables import OWN_PRESET_PREFIX, load_own_presets, select_presets_with_table
from drives.models import HouseTerms
from drives.papers.points_poster import HousePoster, draw_house_poster
from drives.points_form import PointsForm, build_points_form, read_house
from drives.scores.terms import parse_points_table
from printing.identity import use_identity
from printing.paper import parse_paper_size
from printing.values import Heading
from server.downloads import PDF_CONTENT_TYPE, build_file_response
from server.errors import PageNotFound
from server.fragments import redirect_unless_htmx

MAX_TYPED_NAME_LENGTH = 200


@dataclass
class TableInput:
    """The points table on the page.

    `former_name` is the name of the stored table that it replaces. `custom` is the code of a
    predefined variant, and `house` contains the club's changes to it.
    """

    game: Game
    name: str = ""
    former_name: str = ""
    custom: str | None = None
    house: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def from_score(cls, name: str, score: Mapping[str, Any]) -> "TableInput":
        """Return a stored table."""
        house = dict(score.get("house", {}))
        return cls(GAMES[score["game"]], name, name, score.get("custom"), house)

    def build_form(self, name_style: str) -> PointsForm:
        """Return the form of the table; raise UnreadableDrive for invalid changes."""
        return build_points_form(self.game, self.custom, self.house, name_style)


@require_safe
def show_house_tables(request: HttpRequest) -> HttpResponse:
    """List the club's own and the predefined points tables, and offer names for contracts."""
    club = access.get_directed_club(request)
    name_style = load_contract_words(club.pk)
    context = {
        "club": club,
        "tables": [
            {
                "name": name,
                "game": GAMES[score["game"]],
                "preset": f"{OWN_PRESET_PREFIX}{name}",
                "changed": TableInput.from_score(name, score)
                .build_form(name_style)
                .changed_names,
            }
            for name, score in select_presets_with_table(load_own_presets(club)).items()
        ],
        "games": GAMES.values(),
        "words": name_style,
        "word_choices": HouseTerms.ContractWords.choices,
    }
    return render(request, "drives/house_tables.html", context)


def _find_preset(club: Club, name: str) -> dict[str, Any]:
    presets = select_presets_with_table(load_own_presets(club))
    if name not in presets:
        raise PageNotFound(_("Points table not found."))
    return presets[name]


@require_http_methods(["GET", "POST"])
def show_or_save_house_table(request: HttpRequest) -> HttpResponse:
    """Show a points table to copy or to change, preview its changes, or save it."""
    club = access.get_directed_club(request)
    if request.method != "POST":
        return _show_table(request, club, _open_table(request, club))
    table_input = _read_input(request, club)
    act, problem = request.POST.get("act", ""), ""
    try:
        if act == "ready":
            table_input.house = {}
            build_points_table(table_input.game, table_input.custom, {})
        else:
            table_input.house = _read_house(request, club, table_input)
        if act == "save":
            return _save_table(request, club, table_input)
    except WhistError as error:
        problem = str(error)
    return _show_table(request, club, table_input, problem)


def _read_house(request: HttpRequest, club: Club, table_input: TableInput) -> dict[str, Any]:
    name_style = load_contract_words(club.pk)
    form_data = request.POST.dict()
    return read_house(
        form_data, table_input.game, table_input.custom, table_input.house, name_style
    )


def _open_table(request: HttpRequest, club: Club) -> TableInput:
    """Return the table in the query string: a stored one, or a game's predefined table."""
    name = request.GET.get("table", "")
    if not name:
        return TableInput(_find_game(request.GET.get("game", "")))
    return TableInput.from_score(name, _find_preset(club, name))


def _find_game(code: str) -> Game:
    try:
        return find_game(code)
    except UnreadableDrive as error:
        raise PageNotFound(str(error)) from None


def _read_input(request: HttpRequest, club: Club) -> TableInput:
    """Read the fields of the HTML form except the points of contracts."""
    form_data = request.POST
    former_name = form_data.get("former_name", "")[:MAX_TYPED_NAME_LENGTH]
    stored_table = select_presets_with_table(load_own_presets(club)).get(former_name, {})
    return TableInput(
        _find_game(form_data.get("game", "")),
        form_data.get("name", "")[:MAX_TYPED_NAME_LENGTH],
        former_name,
        form_data.get("custom") or None,
        dict(stored_table.get("house", {})),
    )


def _save_table(request: HttpRequest, club: Club, table_input: TableInput) -> HttpResponse:
    drives.services.save_house_table(
        club=club,
        name=table_input.name,
        game=table_input.game.code,
        custom=table_input.custom,
        house=table_input.house,
        former_name=table_input.former_name,
        by=request.user,
    )
    message = _("“%(name)s” saved.") % {"name": " ".join(table_input.name.split())}
    return _return_to_list(request, club, message)


def _return_to_list(request: HttpRequest, club: Club, message: str) -> HttpResponse:
    """Redirect to the list, with a message and a button that undoes the newest change."""
    url = f"{reverse('drive_house_tables')}?club={club.slug}"
    codes = ("drive.house_table", "drive.house_table_deleted", "drive.contract_words")
    acts = audit.list_acts(club).filter(action__in=codes)
    offer_undo(request, message, acts, url)
    return redirect(url)


def _show_table(
    request: HttpRequest, club: Club, table_input: TableInput, problem: str = ""
) -> HttpResponse:
    name_style = load_contract_words(club.pk)
    try:
        points_form = table_input.build_form(name_style)
    except UnreadableDrive as error:  # e.g. the predefined variant does not exist
        problem, table_input.custom, table_input.house = problem or str(error), None, {}
        points_form = table_input.build_form(name_style)
    if problem:
        points_form = points_form.keep_typed(request.POST.dict())
    context = {
        "club": club,
        "table": table_input,
        "game": table_input.game,
        "custom": table_input.custom or "",
        "points": points_form,
        "problem": problem,
    }
    return render(request, "drives/house_table.html", context, status=400 if problem else 200)


@require_POST
@redirect_unless_htmx("drive_house_tables")
def show_examples_fragment(request: HttpRequest) -> HttpResponse:
    """Return the fragment with example hands for the typed points, or with a problem."""
    club = access.get_directed_club(request)
    table_input = _read_input(request, club)
    context: dict[str, Any] = {}
    try:
        table_input.house = _read_house(request, club, table_input)
        context["points"] = table_input.build_form(load_contract_words(club.pk))
    except WhistError as error:
        context["problem"] = str(error)
    return render(request, "drives/_points_fragment.html", context)


@require_POST
def delete_house_table(request: HttpRequest) -> HttpResponse:
    """Delete one of the club's points tables."""
    club = access.get_directed_club(request)
    name = request.POST.get("name", "")
    _find_preset(club, name)
    drives.services.delete_house_table(club=club, name=name, by=request.user)
    return _return_to_list(request, club, _("“%(name)s” deleted.") % {"name": name})


@require_POST
def choose_contract_words(request: HttpRequest) -> HttpResponse:
    """Save which names the club uses for contracts."""
    club = access.get_directed_club(request)
    with show_errors_as_messages(request):
        drives.services.set_contract_words(
            club=club, words=request.POST.get("words", ""), by=request.user
        )
        return _return_to_list(request, club, _("Contract names saved."))
    return redirect(f"{reverse('drive_house_tables')}?club={club.slug}")


@require_safe
def print_house_table(request: HttpRequest) -> HttpResponse:
    """Return one of the club's points tables as a PDF to hang on a wall."""
    club = access.get_directed_club(request)
    timezone.activate(club.zone)
    name = request.GET.get("table", "")
    score = _find_preset(club, name)
    points_table = parse_points_table(score)
    assert points_table is not None
    poster = HousePoster(
        Heading(club.name, name, get_club_date(club)),
        apply_contract_words(points_table, load_contract_words(club.pk)),
    )
    with use_identity(*club.paper_branding):
        pdf = draw_house_poster(poster, size=parse_paper_size(request))
    return build_file_response(pdf, PDF_CONTENT_TYPE, "points.pdf", is_inline=True)
