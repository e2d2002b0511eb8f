"""The director's pages of seasons: import, ladders, handicaps and closing."""

from datetime import date as Date
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from boards.whist import WhistError
from clubs import audit, permissions
from clubs.models import Club
from clubs.name_order import sort_by_name
from clubs.today import get_club_date
from clubs.views.undo_messages import offer_undo, undo_act_with_message
from seasons.ladders.errors import HandicapRefused, LadderRefused
from seasons.ladders.forms import LadderForm, SeasonForm
from seasons.ladders.inverses import INVERSES
from seasons.ladders.models import Ladder, Season
from seasons.ladders.rules.handicaps import (
    SOURCE_EVENINGS,
    SOURCE_GRADES,
    HandicapTerms,
    read_terms,
    serialize_terms,
)
from seasons.ladders.rules.presets import PRESETS, list_presets
from seasons.ladders.rules.rule import MEASURE_PERCENT, MEASURE_PLUS
from seasons.ladders.rules.words import describe_rule, describe_terms
from seasons.ladders.season_file import build_season_document
from seasons.ladders.season_tables import load_ladder_rule, load_season_terms
from seasons.ladders.services.handicaps import (
    recompute_handicaps,
    set_personal_handicap,
    set_season_handicap,
)
from seasons.ladders.services.importing import create_season, import_season
from seasons.ladders.services.ladders import (
    change_season,
    close_season,
    delete_ladder,
    save_ladder,
)
from seasons.ladders.sheets.handicaps import list_current_handicaps, list_ranked_evenings
from server.downloads import build_json_response
from server.errors import PageNotFound
from server.numbers import parse_number_or_zero, parse_whole_number, replace_decimal_comma

MAX_FILE_BYTES = 5_000_000
DEFAULT_POINTS = ("4", "3", "2", "1")
DEFAULT_BEST_EVENING_COUNT = 8
INTEGER_FIELDS = ("last", "months", "least")


@require_http_methods(["GET", "POST"])
def edit_seasons(request: HttpRequest) -> HttpResponse:
    """List the seasons of the user's clubs (GET), or create a season (POST).

    The POST data is either the form of a new season or an uploaded season file.
    """
    problems: list[str] = []
    club = permissions.get_current_club(request)
    today = get_club_date(club)
    has_congress_features = club is None or club.has_congress_features
    form = SeasonForm(today=today, has_congress_features=has_congress_features)
    if request.method == "POST" and request.POST.get("act") == "begin":
        form = SeasonForm(
            request.POST, today=today, has_congress_features=has_congress_features
        )
        if _create_season(request, form, club):
            return redirect("own_seasons")
        problems = [] if club else [_("You aren’t a director of any club.")]
    elif request.method == "POST":
        problems = _import_season_file(request)
        if not problems:
            return redirect("own_seasons")
    seasons = Season.objects.filter(
        club__in=permissions.list_directed_clubs(request)
    ).select_related("club")
    context = {
        "seasons": seasons.prefetch_related("ladders", "versions"),
        "problems": problems,
        "form": form,
        "club": club,
    }
    status = 400 if problems or form.errors else 200
    return render(request, "seasons/own_seasons.html", context, status=status)


def _create_season(request: HttpRequest, form: SeasonForm, club: Club | None) -> bool:
    """Create a season from the form, and return whether it was created."""
    if not form.is_valid() or club is None:
        return False
    form_values = form.cleaned_data
    try:
        season = create_season(
            club=club,
            name=form_values["name"],
            first_day=form_values["first_day"],
            last_day=form_values["last_day"],
            ladders=form.list_chosen_ladders(),
            by=request.user,
        )
    except WhistError as error:
        form.add_error(None, list(getattr(error, "problems", None) or [str(error)]))
        return False
    acts = audit.list_acts(season).filter(action="season.imported")
    message = _("%(season)s created.") % {"season": season.name}
    offer_undo(request, message, acts, reverse("own_seasons"))
    return True


@require_POST
def close_season_view(request: HttpRequest, season: str) -> HttpResponse:
    """Close a season by storing a snapshot of its ladders."""
    season_row = get_directed_season(request, season)
    version = close_season(season=season_row, by=request.user)
    message = _("%(season)s: version %(number)s of the ladders saved.")
    message %= {"number": version.number, "season": season_row.name}
    acts = audit.list_acts(season_row).filter(action="season.closed")
    offer_undo(request, message, acts, reverse("own_seasons"))
    return redirect("own_seasons")


@require_safe
def export_season(request: HttpRequest, season: str) -> HttpResponse:
    """Return a season as a file with full names, which another server can import."""
    season_row = get_directed_season(request, season)
    return build_json_response(build_season_document(season_row), f"{season_row.slug}.json")


@require_POST
def undo_season_action(request: HttpRequest, season: str, pk: int) -> HttpResponse:
    """Undo one action on a season."""
    undo_act_with_message(request, pk, INVERSES, season=get_directed_season(request, season))
    return redirect("own_seasons")


def _import_season_file(request: HttpRequest) -> list[str]:
    """Import the uploaded season file, and return the problems of the file."""
    uploaded_file, club = request.FILES.get("file"), permissions.get_current_club(request)
    if uploaded_file is None or uploaded_file.size is None:
        return [_("Choose a file.")]
    if uploaded_file.size > MAX_FILE_BYTES:
        return [_("The file is larger than 5 MB.")]
    if club is None:
        return [_("You aren’t a director of any club.")]
    try:
        season = import_season(document=uploaded_file.read(), club=club, by=request.user)
    except WhistError as error:
        return list(getattr(error, "problems", None) or [str(error)])
    acts = audit.list_acts(season).filter(action="season.imported")
    message = _("Season “%(season)s” imported.") % {"season": season.name}
    offer_undo(request, message, acts, reverse("own_seasons"))
    return []


def get_directed_season(request: HttpRequest, season_slug: str) -> Season:
    """Return a season; raise PageNotFound if the user is no director of its club."""
    seasons = Season.objects.filter(
        club__in=permissions.list_directed_clubs(request)
    ).select_related("club")
    season = seasons.filter(slug=season_slug).first()
    if season is None:
        raise PageNotFound(_("Season not found."))
    return season


@require_http_methods(["GET", "POST"])
def edit_season_ladders(request: HttpRequest, season: str) -> HttpResponse:
    """Show a season's ladders with their rules (GET), or change its name and days (POST)."""
    season_row = get_directed_season(request, season)
    problems: list[str] = []
    if request.method == "POST":
        problems = _change_season(request, season_row)
        if not problems:
            return redirect("season_ladders", season_row.slug)
    handicap_terms = load_season_terms(season_row)
    ladders = season_row.ladders.prefetch_related("handicaps")
    offered_presets = list_presets(has_congress_features=season_row.club.has_congress_features)
    context = {
        "season": season_row,
        "ladders": [
            (ladder, describe_rule(load_ladder_rule(ladder, handicap_terms)))
            for ladder in ladders
        ],
        "presets": [
            (preset.preset_key, preset.get_name(), preset.get_description())
            for preset in offered_presets
        ],
        "problems": problems,
    }
    status = 400 if problems else 200
    return render(request, "seasons/season_ladders.html", context, status=status)


@require_http_methods(["GET", "POST"])
def edit_ladder(request: HttpRequest, season: str, ladder: str) -> HttpResponse:
    """Show the form of a ladder (GET), or change its name and rule (POST)."""
    season_row = get_directed_season(request, season)
    ladder_row = season_row.ladders.filter(slug=ladder).first()
    if ladder_row is None:
        raise PageNotFound(_("Ladder not found."))
    return _render_ladder_form(
        request, season_row, ladder_row, ladder_row.name, ladder_row.rule
    )


@require_http_methods(["GET", "POST"])
def add_ladder(request: HttpRequest, season: str) -> HttpResponse:
    """Show the form of a new ladder, based on a preset (GET), or add the ladder (POST)."""
    season_row = get_directed_season(request, season)
    preset = next(
        (preset for preset in PRESETS if preset.preset_key == request.GET.get("like")),
        PRESETS[0],
    )
    rule_data = preset.build_rule(DEFAULT_BEST_EVENING_COUNT, DEFAULT_POINTS)
    return _render_ladder_form(request, season_row, None, preset.get_name(), rule_data)


@require_POST
def remove_ladder(request: HttpRequest, season: str, ladder: str) -> HttpResponse:
    """Delete a ladder, and show a message with an undo link."""
    season_row = get_directed_season(request, season)
    ladder_row = season_row.ladders.filter(slug=ladder).first()
    delete_ladder(season=season_row, ladder=ladder, by=request.user)
    if ladder_row is None:
        messages.info(request, _("Already removed."))
    else:
        _offer_undo(request, season_row, _("%(ladder)s removed.") % {"ladder": ladder_row.name})
    return redirect("season_ladders", season_row.slug)


def _render_ladder_form(
    request: HttpRequest,
    season: Season,
    ladder: Ladder | None,
    name: str,
    rule_data: dict[str, Any],
) -> HttpResponse:
    submitted_data = request.POST if request.method == "POST" else None
    has_congress_features = season.club.has_congress_features
    form = LadderForm(
        submitted_data,
        name=name,
        rule_data=rule_data,
        has_congress_features=has_congress_features,
    )
    if (
        form.is_valid()
        and (saved_ladder := _save_ladder_form(request, season, ladder, form)) is not None
    ):
        _offer_undo(request, season, _("%(ladder)s saved.") % {"ladder": saved_ladder.name})
        return redirect("season_ladders", season.slug)
    context = {"season": season, "ladder": ladder, "form": form}
    status = 400 if form.errors else 200
    return render(request, "seasons/ladder_form.html", context, status=status)


def _save_ladder_form(
    request: HttpRequest, season: Season, ladder: Ladder | None, form: LadderForm
) -> Ladder | None:
    """Save the ladder of the form and return it; return None if the rule is invalid.

    The errors are added to the fields of the form.
    """
    try:
        return save_ladder(
            season=season,
            name=form.cleaned_data["name"],
            rule=form.build_rule(),
            ladder_slug=ladder.slug if ladder else "",
            by=request.user,
        )
    except LadderRefused as error:
        if not error.faults:
            form.add_error(None, str(error))
        for fault in error.faults:
            form.add_error(
                fault.setting if fault.setting in form.fields else None, fault.message
            )
        return None


def _change_season(request: HttpRequest, season: Season) -> list[str]:
    """Change the season's name and days from the form data; return the error messages."""
    try:
        season_days = [
            Date.fromisoformat(request.POST.get(key, "")) for key in ("first", "last")
        ]
    except ValueError:
        return [_("Enter both dates, e.g. 2026-09-01.")]
    name = request.POST.get("name", "")
    try:
        change_season(
            season=season,
            name=name,
            first_day=season_days[0],
            last_day=season_days[1],
            by=request.user,
        )
    except WhistError as error:
        return [str(error)]
    _offer_undo(request, season, _("Season saved."))
    return []


def _offer_undo(request: HttpRequest, season: Season, message: str) -> None:
    acts = audit.list_acts(season)
    offer_undo(request, message, acts, reverse("season_ladders", args=[season.slug]))


@require_safe
def show_season_handicap(request: HttpRequest, season: str) -> HttpResponse:
    """Show a season's handicap terms and the handicaps of all people."""
    return _render_handicap_page(request, get_directed_season(request, season))


@require_POST
def change_season_handicap(request: HttpRequest, season: str) -> HttpResponse:
    """Change the handicap terms, set a person's handicap, or recompute an event's handicaps."""
    season_row = get_directed_season(request, season)
    try:
        message = _apply_handicap_action(request, season_row)
    except HandicapRefused as error:
        messages_by_setting = {fault.setting: fault.message for fault in error.faults}
        return _render_handicap_page(
            request, season_row, messages_by_setting, "" if messages_by_setting else str(error)
        )
    except WhistError as error:
        messages.error(request, str(error))
    else:
        acts = audit.list_acts(season_row).filter(action__startswith="handicap.")
        offer_undo(request, message, acts, reverse("season_handicap", args=[season_row.slug]))
    return redirect("season_handicap", season_row.slug)


def _apply_handicap_action(request: HttpRequest, season: Season) -> str:
    action, by = request.POST.get("act", ""), request.user
    if action == "give":
        set_personal_handicap(
            season=season,
            player=parse_number_or_zero(request.POST.get("player", "")),
            a_board=replace_decimal_comma(request.POST.get("a_board", "")[:40]),
            reason=request.POST.get("reason", ""),
            by=by,
        )
        return _("Handicap saved.")
    if action == "again":
        event = season.club.events.filter(slug=request.POST.get("event", "")[:80]).first()
        if event is None:
            raise PageNotFound(_("Evening not found."))
        changed_count = recompute_handicaps(season=season, event=event, by=by)
        message = ngettext("%(n)s handicap changed.", "%(n)s handicaps changed.", changed_count)
        return message % {"n": changed_count}
    if action == "end":
        set_season_handicap(season=season, terms=None, by=by)
        return _("Handicaps turned off.")
    set_season_handicap(season=season, terms=_read_handicap_terms(request), by=by)
    return _("Handicaps saved.")


def _read_handicap_terms(request: HttpRequest) -> dict[str, Any]:
    """Return the handicap terms of the submitted form, with defaults for empty fields."""
    term_values: dict[str, Any] = {}
    for setting in ("figure", "source", "newcomers", "share", "par", "cap", *INTEGER_FIELDS):
        typed_text = request.POST.get(setting, "").strip()[:40]
        term_text = replace_decimal_comma(typed_text).replace("\N{MINUS SIGN}", "-")
        if term_text:
            whole_number = parse_whole_number(term_text) if setting in INTEGER_FIELDS else None
            term_values[setting] = term_text if whole_number is None else whole_number
    return term_values


def _render_handicap_page(
    request: HttpRequest,
    season: Season,
    messages_by_setting: dict[str, str] | None = None,
    problem: str = "",
) -> HttpResponse:
    handicap_terms = load_season_terms(season)
    default_terms = read_terms({})
    assert isinstance(default_terms, HandicapTerms)
    people = (
        list_current_handicaps(season, handicap_terms, has_full_names=True)
        if handicap_terms
        else []
    )
    director_handicaps_by_player = {
        director_handicap.player_id: director_handicap
        for director_handicap in season.by_hand.all()
    }
    evenings = [
        ranked_evening
        for ranked_evening in list_ranked_evenings(season)
        if ranked_evening.is_played_here
    ]
    context = {
        "club": season.club,
        "season": season,
        "rule": describe_terms(handicap_terms) if handicap_terms else "",
        "given": {"source": SOURCE_EVENINGS}
        | serialize_terms(handicap_terms or default_terms)
        | _list_typed_values(request, messages_by_setting),
        "faults": messages_by_setting or {},
        "problems": [problem] if problem else [],
        "people": [
            (person, director_handicaps_by_player.get(person.player_pk)) for person in people
        ],
        "players": sort_by_name(season.club.players.all(), lambda player: player.name),
        "evenings": evenings if handicap_terms else [],
        "figures": ((MEASURE_PLUS, _("tricks per board")), (MEASURE_PERCENT, _("per cent"))),
        "sources": (
            (SOURCE_EVENINGS, _("recent evenings")),
            (SOURCE_GRADES, _("public grades")),
        ),
        "in_percent": bool(handicap_terms and handicap_terms.figure == MEASURE_PERCENT),
        "is_whole": season.club.has_congress_features
        or handicap_terms not in (None, default_terms),
    }
    status = 400 if messages_by_setting or problem else 200
    return render(request, "seasons/season_handicap.html", context, status=status)


def _list_typed_values(
    request: HttpRequest, messages_by_setting: dict[str, str] | None
) -> dict[str, Any]:
    """Return the submitted values, to show them again in the form with its errors."""
    return _read_handicap_terms(request) if messages_by_setting else {}
