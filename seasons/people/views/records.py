"""The public list of players, and each player's public page of results."""

from collections.abc import Sequence
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_not_required
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.models import Club, Player
from clubs.name_folding import fold_name
from clubs.name_order import sort_by_name
from clubs.permissions import get_club
from clubs.privacy import has_public_page
from seasons.grades.sheets import format_grade
from seasons.grades.visibility import query_public_grades
from seasons.people.sheets.people import has_many_clubs, list_initials, query_public_players
from seasons.people.sheets.records import build_season_page, list_club_years, load_player_record
from seasons.people.tasks import compute_outdated_statistics
from server.errors import PageNotFound
from server.numbers import parse_number_or_zero

PLAYERS_PER_PAGE = 50


@login_not_required
@require_safe
def list_people(request: HttpRequest) -> HttpResponse:
    """List the players who are shown by name, filtered by club, initial letter and search text.

    The list is paginated. With several clubs and no filter by club, each player's club is
    shown.
    """
    clubs = [] if has_many_clubs() else list(Club.objects.order_by("name"))
    club = _find_club(request.GET.get("club", ""))
    if club is None and len(clubs) == 1:
        (club,) = clubs
    initials = list_initials(club)
    search_text = request.GET.get("q", "").strip()[:100]
    selected_initial = request.GET.get("letter", "")
    selected_initial = selected_initial if selected_initial in initials else ""
    matching_people = query_public_players(club).filter(
        plain__contains=fold_name(search_text), plain__startswith=fold_name(selected_initial)
    )
    if club is None:  # a list of all clubs may be long, so the database sorts it
        people: Sequence[Player] | QuerySet[Player] = matching_people.select_related("club")
    else:
        people = sort_by_name(matching_people, lambda player: player.name)
    query_parameters = {
        "club": request.GET.get("club", ""),
        "q": search_text,
        "letter": selected_initial,
    }
    context = {
        "players": Paginator(people, PLAYERS_PER_PAGE).get_page(request.GET.get("page")),
        "letters": initials,
        "letter": selected_initial,
        "words": search_text,
        "clubs": clubs if len(clubs) > 1 else [],
        "club": club or "",
        "by_club": query_parameters["club"],
        "query_string": urlencode(
            {key: value for key, value in query_parameters.items() if value}
        ),
    }
    return render(request, "seasons/people.html", context)


def _find_club(club_slug: str) -> Club | None:
    """Return the club with this slug; None if the slug is empty.

    Raises PageNotFound for an unknown slug.
    """
    return get_club(club_slug) if club_slug else None


@login_not_required
@require_safe
def show_player(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a player's results in one season, by default the player's last one."""
    player = Player.objects.select_related("club").filter(pk=pk).first()
    # The response must not reveal whether a person is hidden or unknown.
    if player is None or not has_public_page(player):
        raise PageNotFound(_("Player page not found."))
    club_years = list_club_years(player)
    requested_start_year = parse_number_or_zero(request.GET.get("season"))
    shown_club_year = next(
        (club_year for club_year in club_years if club_year.start_year == requested_start_year),
        None,
    )
    if shown_club_year is None and "season" not in request.GET:
        shown_club_year = next(iter(club_years), None)
    player_record = load_player_record(player, shown_club_year)
    if compute_outdated_statistics(player_record.outdated_event_pks):
        player_record = load_player_record(player, shown_club_year)
    grade = query_public_grades(player.club).filter(player=player).first()
    context = {
        "club": player.club,
        "player": player,
        "grade": format_grade(grade),
        "grade_with": grade.partner.shown_name if grade and grade.partner else "",
        "record": player_record,
        "page": build_season_page(player_record),
        "seasons": club_years,
        "season": shown_club_year,
    }
    return render(request, "seasons/player.html", context)
