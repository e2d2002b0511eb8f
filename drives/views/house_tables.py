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
from clubs import audit, permissions
from clubs.models import Club
from clubs.today import get_club_date
from clubs.views.error_messages import show_errors_as_messages
from clubs.views.undo_messages import offer_undo
from drives.contract_words import apply_contract_name_style, load_contract_name_style
from drives.errors import UnreadableDrive
from drives.games import GAMES_BY_CODE, find_game
from drives.games.contracts import Game
from drives.games.house import build_points_table
from drives.house_tables import (
    OWN_PRESET_PREFIX,
    load_club_presets,
    select_presets_with_points_table,
)
from drives.models import HouseTerms
from drives.papers.points_poster import ClubPointsPoster, draw_club_points_poster
from drives.points_form import PointsForm, build_points_form, read_club_changes
from drives.scores.terms import parse_points_table
from printing.identity import use_club_identity
from printing.paper import parse_paper_size
from printing.values import Heading
from server.downloads import PDF_CONTENT_TYPE, build_file_response
from server.errors import PageNotFound
from server.fragments import redirect_unless_htmx

MAX_TYPED_NAME_LENGTH = 200


@dataclass
class PointsTableInput:
    """The points table on the page.

    `former_name` is the name of the stored table that it replaces. `variant_code` is the
    code of a predefined variant, and `club_changes` contains the club's changes to it.
    """

    game: Game
    name: str = ""
    former_name: str = ""
    variant_code: str | None = None
    club_changes: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def from_score_terms(cls, name: str, score_terms: Mapping[str, Any]) -> "PointsTableInput":
        """Return a stored table."""
        club_changes = dict(score_terms.get("house", {}))
        return cls(
            GAMES_BY_CODE[score_terms["game"]],
            name,
            name,
            score_terms.get("custom"),
            club_changes,
        )

    def build_form(self, contract_name_style: str) -> PointsForm:
        """Return the form of the table; raise UnreadableDrive for invalid changes."""
        return build_points_form(
            self.game, self.variant_code, self.club_changes, contract_name_style
        )


@require_safe
def show_club_points_tables(request: HttpRequest) -> HttpResponse:
    """List the club's own and the predefined points tables, and offer names for contracts."""
    club = permissions.get_directed_club(request)
    contract_name_style = load_contract_name_style(club.pk)
    context = {
        "club": club,
        "tables": [
            {
                "name": name,
                "game": GAMES_BY_CODE[score_terms["game"]],
                "preset": f"{OWN_PRESET_PREFIX}{name}",
                "changed": PointsTableInput.from_score_terms(name, score_terms)
                .build_form(contract_name_style)
                .changed_names,
            }
            for name, score_terms in select_presets_with_points_table(
                load_club_presets(club)
            ).items()
        ],
        "games": GAMES_BY_CODE.values(),
        "words": contract_name_style,
        "word_choices": HouseTerms.ContractNameStyle.choices,
    }
    return render(request, "drives/house_tables.html", context)


def _find_preset(club: Club, name: str) -> dict[str, Any]:
    preset_by_name = select_presets_with_points_table(load_club_presets(club))
    if name not in preset_by_name:
        raise PageNotFound(_("Points table not found."))
    return preset_by_name[name]


@require_http_methods(["GET", "POST"])
def show_or_save_points_table(request: HttpRequest) -> HttpResponse:
    """Show a points table to copy or to change, preview its changes, or save it."""
    club = permissions.get_directed_club(request)
    if request.method != "POST":
        return _show_points_table(request, club, _load_points_table(request, club))
    points_table_input = _read_points_table_input(request, club)
    act_name, problem = request.POST.get("act", ""), ""
    try:
        if act_name == "ready":
            points_table_input.club_changes = {}
            build_points_table(points_table_input.game, points_table_input.variant_code, {})
        else:
            points_table_input.club_changes = _read_house_terms(
                request, club, points_table_input
            )
        if act_name == "save":
            return _save_points_table(request, club, points_table_input)
    except WhistError as error:
        problem = str(error)
    return _show_points_table(request, club, points_table_input, problem)


def _read_house_terms(
    request: HttpRequest, club: Club, points_table_input: PointsTableInput
) -> dict[str, Any]:
    contract_name_style = load_contract_name_style(club.pk)
    form_data = request.POST.dict()
    return read_club_changes(
        form_data,
        points_table_input.game,
        points_table_input.variant_code,
        points_table_input.club_changes,
        contract_name_style,
    )


def _load_points_table(request: HttpRequest, club: Club) -> PointsTableInput:
    """Return the table in the query string: a stored one, or a game's predefined table."""
    name = request.GET.get("table", "")
    if not name:
        return PointsTableInput(_find_game(request.GET.get("game", "")))
    return PointsTableInput.from_score_terms(name, _find_preset(club, name))


def _find_game(code: str) -> Game:
    try:
        return find_game(code)
    except UnreadableDrive as error:
        raise PageNotFound(str(error)) from None


def _read_points_table_input(request: HttpRequest, club: Club) -> PointsTableInput:
    """Read the fields of the HTML form except the points of contracts."""
    form_data = request.POST
    former_name = form_data.get("former_name", "")[:MAX_TYPED_NAME_LENGTH]
    stored_score_terms = select_presets_with_points_table(load_club_presets(club)).get(
        former_name, {}
    )
    return PointsTableInput(
        _find_game(form_data.get("game", "")),
        form_data.get("name", "")[:MAX_TYPED_NAME_LENGTH],
        former_name,
        form_data.get("custom") or None,
        dict(stored_score_terms.get("house", {})),
    )


def _save_points_table(
    request: HttpRequest, club: Club, points_table_input: PointsTableInput
) -> HttpResponse:
    drives.services.save_club_points_table(
        club=club,
        name=points_table_input.name,
        game_code=points_table_input.game.code,
        variant_code=points_table_input.variant_code,
        club_changes=points_table_input.club_changes,
        former_name=points_table_input.former_name,
        by=request.user,
    )
    message = _("“%(name)s” saved.") % {"name": " ".join(points_table_input.name.split())}
    return _redirect_to_points_tables(request, club, message)


def _redirect_to_points_tables(request: HttpRequest, club: Club, message: str) -> HttpResponse:
    """Redirect to the list, with a message and a button that undoes the newest change."""
    url = f"{reverse('drive_house_tables')}?club={club.slug}"
    codes = ("drive.house_table", "drive.house_table_deleted", "drive.contract_words")
    table_acts = audit.list_acts(club).filter(action__in=codes)
    offer_undo(request, message, table_acts, url)
    return redirect(url)


def _show_points_table(
    request: HttpRequest, club: Club, points_table_input: PointsTableInput, problem: str = ""
) -> HttpResponse:
    contract_name_style = load_contract_name_style(club.pk)
    try:
        points_form = points_table_input.build_form(contract_name_style)
    except UnreadableDrive as error:  # e.g. the predefined variant does not exist
        problem, points_table_input.variant_code, points_table_input.club_changes = (
            problem or str(error),
            None,
            {},
        )
        points_form = points_table_input.build_form(contract_name_style)
    if problem:
        points_form = points_form.keep_typed_texts(request.POST.dict())
    context = {
        "club": club,
        "table": points_table_input,
        "game": points_table_input.game,
        "custom": points_table_input.variant_code or "",
        "points": points_form,
        "problem": problem,
    }
    return render(request, "drives/house_table.html", context, status=400 if problem else 200)


@require_POST
@redirect_unless_htmx("drive_house_tables")
def show_examples_fragment(request: HttpRequest) -> HttpResponse:
    """Return the fragment with example hands for the typed points, or with a problem."""
    club = permissions.get_directed_club(request)
    points_table_input = _read_points_table_input(request, club)
    context: dict[str, Any] = {}
    try:
        points_table_input.club_changes = _read_house_terms(request, club, points_table_input)
        context["points"] = points_table_input.build_form(load_contract_name_style(club.pk))
    except WhistError as error:
        context["problem"] = str(error)
    return render(request, "drives/_points_fragment.html", context)


@require_POST
def delete_house_table(request: HttpRequest) -> HttpResponse:
    """Delete one of the club's points tables."""
    club = permissions.get_directed_club(request)
    name = request.POST.get("name", "")
    _find_preset(club, name)
    drives.services.delete_club_points_table(club=club, name=name, by=request.user)
    return _redirect_to_points_tables(request, club, _("“%(name)s” deleted.") % {"name": name})


@require_POST
def choose_contract_words(request: HttpRequest) -> HttpResponse:
    """Save which names the club uses for contracts."""
    club = permissions.get_directed_club(request)
    with show_errors_as_messages(request):
        drives.services.set_contract_words(
            club=club, words=request.POST.get("words", ""), by=request.user
        )
        return _redirect_to_points_tables(request, club, _("Contract names saved."))
    return redirect(f"{reverse('drive_house_tables')}?club={club.slug}")


@require_safe
def print_points_table(request: HttpRequest) -> HttpResponse:
    """Return one of the club's points tables as a PDF to hang on a wall."""
    club = permissions.get_directed_club(request)
    timezone.activate(club.zone)
    name = request.GET.get("table", "")
    score_terms = _find_preset(club, name)
    points_table = parse_points_table(score_terms)
    assert points_table is not None
    poster = ClubPointsPoster(
        Heading(club.name, name, get_club_date(club)),
        apply_contract_name_style(points_table, load_contract_name_style(club.pk)),
    )
    with use_club_identity(*club.paper_branding):
        pdf = draw_club_points_poster(poster, paper_size=parse_paper_size(request))
    return build_file_response(pdf, PDF_CONTENT_TYPE, "points.pdf", is_inline=True)
