"""The director's pages of a club's people: lists, editing, merging, deletion and duplicates."""

import csv
from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from io import StringIO
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

import clubs.services
from boards.whist import WhistError
from clubs import audit, permissions
from clubs.archives.spec import ArchiveSpec
from clubs.models import Club, Player, TwoPeople
from clubs.name_folding import fold_name, split_search_words
from clubs.name_order import sort_by_name
from clubs.people.columns import FIELD_KEYS, determine_columns, find_heading_row, guess_columns
from clubs.people.dates import DAY_MONTH_ORDERS
from clubs.people.import_preview import ImportPreview
from clubs.people.limits import MAX_BYTES, MISSING_FORMULA_VALUE, ListRow
from clubs.people.similar_names import list_similar_name_pairs
from clubs.people.tables import parse_list_file
from clubs.services import update_person
from clubs.views.error_messages import show_errors_as_messages
from clubs.views.undo_messages import offer_undo
from seasons.grades.visibility import get_grade_book
from seasons.people.forms import PersonForm
from seasons.people.services import delete_personal_data
from server.numbers import parse_number_or_zero, parse_whole_number
from tournaments import services
from tournaments.models import Event
from tournaments.services.people import import_people, preview_people
from tournaments.views.states import build_event_line

NAMES_PER_PAGE = 200
"""The number of names on one page of the list."""
MAX_MERGE_CHOICES = 300
"""The maximum number of players for which the merge page has a choice list.

In a larger club, the director types the name of the player who remains.
"""
SAMPLE_CELL_COUNT = 5
"""The number of cells of each column that the page shows as a sample."""
FIELD_LABELS_BY_KEY: dict[str, Promise] = {
    "name": gettext_lazy("name"),
    "first": gettext_lazy("first name"),
    "surname": gettext_lazy("surname"),
    "number": gettext_lazy("number"),
    "kind": gettext_lazy("member, visitor or past member"),
    "joined": gettext_lazy("joined"),
    "left": gettext_lazy("left"),
    "email": gettext_lazy("e-mail"),
    "phone": gettext_lazy("telephone"),
}


@require_safe
def list_players(request: HttpRequest) -> HttpResponse:
    """List the players of a club by name, or only those whose names contain the search text."""
    club = permissions.get_current_club(request, request.GET.get("club", ""))
    search_text = request.GET.get("q", "").strip()[:100]
    club_players = Player.objects.filter(club=club)
    matching_players = club_players.order_by("plain", "pk").only(
        "name", "shown", "kind", "forgotten_on"
    )
    for search_word in split_search_words(search_text):
        matching_players = matching_players.filter(plain__contains=search_word)
    query_parameters = {"club": request.GET.get("club", ""), "q": search_text}
    context = {
        "clubs": permissions.list_directed_clubs(request),
        "club": club,
        "words": search_text,
        "count": club_players.exists(),
        "shows_grades": club is not None
        and (club.has_congress_features or get_grade_book(club) is not None),
        "players": Paginator(
            sort_by_name(matching_players, lambda player: player.name), NAMES_PER_PAGE
        ).get_page(request.GET.get("page")),
        "query_string": urlencode(
            {key: value for key, value in query_parameters.items() if value}
        ),
    }
    return render(request, "seasons/players.html", context)


@require_http_methods(["GET", "POST"])
def edit_player(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a person's name, visibility, details and consents (GET), or change them (POST)."""
    player = permissions.get_player_for_director(request, pk)
    form = PersonForm(
        request.POST or None, instance=permissions.get_player_for_director(request, pk)
    )
    if request.method == "POST" and form.is_valid():
        previous_last_act_pk = (
            audit.list_acts(player.club).values_list("pk", flat=True).first() or 0
        )
        try:
            _save_person_form(request, player, form)
        except WhistError as error:
            form.add_error(None, str(error))
        else:
            message = _("%(name)s saved.") % {"name": form.cleaned_data["name"]}
            new_acts = audit.list_acts(player.club).filter(pk__gt=previous_last_act_pk)
            offer_undo(request, message, new_acts, reverse("player_edit", args=[pk]))
            return redirect("player_edit", pk)
    other_players = player.club.players.exclude(pk=pk).filter(forgotten_on=None)
    context = {
        "form": form,
        "player": player,
        "events": _list_event_lines(player),
        "has_others": other_players.exists(),
        "others": sort_by_name(
            other_players.order_by("plain", "pk").only("name")[: MAX_MERGE_CHOICES + 1],
            lambda player: player.name,
        ),
        "chosen_from": MAX_MERGE_CHOICES,
    }
    return render(request, "seasons/player_form.html", context)


@require_POST
def add_player(request: HttpRequest) -> HttpResponse:
    """Add a player to the club by name, and show the player's page."""
    club = permissions.get_directed_club(request)
    existing_player_pks = set(club.players.values_list("pk", flat=True))
    with show_errors_as_messages(request):
        player = services.add_player(
            club=club, name=request.POST.get("name", ""), by=request.user
        )
        player_url = reverse("player_edit", args=[player.pk])
        if player.pk in existing_player_pks:
            messages.info(request, _("%(name)s is already a player.") % {"name": player.name})
        else:
            acts = audit.list_acts(club).filter(action="player.added")
            message = _("%(name)s added.") % {"name": player.name}
            offer_undo(request, message, acts, reverse("players"))
        return redirect(player_url)
    return redirect(f"{reverse('players')}?club={club.slug}")


@require_POST
def remove_player(request: HttpRequest, pk: int) -> HttpResponse:
    """Delete a player who was never in an entry."""
    player = permissions.get_player_for_director(request, pk)
    with show_errors_as_messages(request):
        services.remove_player(player=player, by=request.user)
        message = _("%(name)s removed.") % {"name": player.name}
        acts = audit.list_acts(player.club).filter(action="player.removed")
        offer_undo(request, message, acts, reverse("players"))
        return redirect("players")
    return redirect("player_edit", pk)


@require_http_methods(["GET", "POST"])
def merge_player(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the events that a merge of two players changes (GET), or merge them (POST)."""
    merged_player = Player.objects.filter(pk=pk).first()
    if merged_player is None:  # already merged, e.g. by a double click
        return redirect("players")
    merged_player = permissions.get_player_for_director(request, pk)
    remaining_player = _find_remaining_player(request, merged_player.club)
    if remaining_player is None:
        messages.error(request, _("Choose which name to keep."))
        return redirect("player_edit", pk)
    old_visibility = remaining_player.shown
    if request.method == "POST":
        try:
            services.merge_players(
                removed_player=merged_player, kept_player=remaining_player, by=request.user
            )
        except WhistError as error:
            messages.error(request, str(error))
            return redirect("player_edit", pk)
        message = _("%(gone)s merged into %(kept)s.")
        messages.success(
            request, message % {"gone": merged_player.name, "kept": remaining_player.name}
        )
        if remaining_player.shown != old_visibility:
            message = _("Everyone now sees %(shown)s instead of %(gone)s.")
            new_visibility = remaining_player.get_shown_display()
            messages.info(
                request, message % {"gone": merged_player.name, "shown": new_visibility}
            )
        return redirect("players")
    context = {
        "gone": merged_player,
        "kept": remaining_player,
        "events": _list_event_lines(merged_player),
    }
    return render(request, "seasons/player_merge.html", context)


def _save_person_form(request: HttpRequest, player: Player, form: PersonForm) -> None:
    """Save the form; the name and its visibility are recorded as separate actions."""
    form_values, by = form.cleaned_data, request.user
    with transaction.atomic():
        services.rename_player(player=player, name=form_values["name"], by=by)
        services.set_player_visibility(player=player, shown=form_values["shown"], by=by)
        update_person(player=player, details=form.details, consents=form.consents, by=by)


def _find_remaining_player(request: HttpRequest, club: Club) -> Player | None:
    """Return the player who is to remain after a merge; None if unknown."""
    request_data = request.POST or request.GET
    player_pk = parse_whole_number(request_data.get("into"))
    if player_pk:
        return club.players.filter(pk=player_pk).first()
    folded_name = fold_name(" ".join(request_data.get("name", "")[:100].split()))
    return (
        club.players.filter(plain=folded_name).order_by("pk").first() if folded_name else None
    )


def _list_event_lines(player: Player) -> list[object]:
    events = Event.objects.filter(entries__players=player).with_sessions().distinct()
    return [build_event_line(event) for event in events]


@dataclass(frozen=True, slots=True)
class SimilarPlayerPair:
    """Two players who may be one person; `is_certain_match` if their e-mail addresses match."""

    first_player: Player
    second_player: Player
    is_certain_match: bool


@require_http_methods(["GET", "POST"])
def review_similar_names(request: HttpRequest) -> HttpResponse:
    """List similar names (GET), or mark two players as different people (POST)."""
    club = permissions.get_directed_club(request)
    if request.method == "POST":
        player_pks = [
            parse_number_or_zero(request.POST.get(key, "")) for key in ("one", "other")
        ]
        people = list(club.players.filter(pk__in=player_pks))
        if len(people) == 2:
            clubs.services.create_different_people_record(
                player=people[0], other_player=people[1], by=request.user
            )
            message = _("%(one)s and %(other)s stay separate players.")
            message %= {"one": people[0].name, "other": people[1].name}
            acts = audit.list_acts(club).filter(action="players.apart")
            offer_undo(request, message, acts, reverse("doubles"))
        else:
            messages.error(request, _("One of these players no longer exists."))
        return redirect(f"{reverse('doubles')}?club={club.slug}")
    context = {"club": club, "doubles": list_similar_names(club)}
    return render(request, "seasons/doubles.html", context)


def list_similar_names(club: Club) -> list[SimilarPlayerPair]:
    """Return pairs of players with similar names who are not marked as different people."""
    players_by_name = {player.name: player for player in club.players.order_by("pk")}
    distinct_pairs = set(TwoPeople.objects.filter(one__club=club).values_list("one", "other"))
    players_by_email: dict[str, list[Player]] = defaultdict(list)
    for person in players_by_name.values():
        if person.email:
            players_by_email[person.email.casefold()].append(person)
    certain_matches_by_pks = {
        (person.pk, other_player.pk): SimilarPlayerPair(
            person, other_player, is_certain_match=True
        )
        for players_with_email in players_by_email.values()
        for index, person in enumerate(players_with_email)
        for other_player in players_with_email[index + 1 :]
    }
    likely_pairs = [
        sorted(
            (players_by_name[name], players_by_name[other_name]), key=lambda player: player.pk
        )
        for name, other_name in list_similar_name_pairs(players_by_name)
    ]
    similar_players_by_pks = {
        (person.pk, other_player.pk): SimilarPlayerPair(
            person, other_player, is_certain_match=False
        )
        for person, other_player in likely_pairs
    } | certain_matches_by_pks
    return [
        similar_players
        for player_pks, similar_players in similar_players_by_pks.items()
        if player_pks not in distinct_pairs
    ]


ViewFunction = Callable[..., HttpResponse]


def build_erasure_view(archive_spec: ArchiveSpec) -> ViewFunction:
    """Return the view that deletes a person's data.

    `archive_spec` declares which database rows refer to a club.
    """

    @require_http_methods(["GET", "POST"])
    def forget_player(request: HttpRequest, pk: int) -> HttpResponse:
        player = permissions.get_player_for_director(request, pk)
        if player.forgotten_on is not None:
            return redirect("player_edit", pk)
        problem = ""
        if request.method == "POST":
            typed_name = request.POST.get("name", "")[:100]
            try:
                delete_personal_data(
                    player=player,
                    typed_name=typed_name,
                    archive_spec=archive_spec,
                    by=request.user,
                )
            except WhistError as error:
                problem = str(error)
            else:
                messages.success(request, _("Personal data deleted."))
                return redirect("players")
        context = {
            "player": player,
            "events": player.entries.values("event").distinct().count(),
            "problem": problem,
        }
        return render(
            request, "seasons/player_forget.html", context, status=400 if problem else 200
        )

    return forget_player


@dataclass(frozen=True, slots=True)
class ListColumn:
    """A column of an uploaded list of people: its assumed meaning, and its first cells."""

    column_number: int
    field_key: str
    cells: tuple[str, ...]


@require_http_methods(["GET", "POST"])
def import_people_list(request: HttpRequest) -> HttpResponse:
    """Parse an uploaded list of people and show a preview; import it once it is confirmed."""
    club = permissions.get_directed_club(request)
    context: dict[str, Any] = {"club": club, "words": FIELD_LABELS_BY_KEY}
    if request.method == "POST":
        try:
            people_list_bytes = _read_list_content(request)
            people_rows = parse_list_file(people_list_bytes)
            column_numbers_by_field, day_month_order = (
                _read_column_meanings(request, people_rows),
                request.POST.get("order", ""),
            )
            day_month_order = day_month_order if day_month_order in DAY_MONTH_ORDERS else ""
            context |= {
                "content": b64encode(people_list_bytes).decode(),
                "columns": _build_columns(people_rows, column_numbers_by_field),
                "order": day_month_order,
            }
            if "take" in request.POST:
                preview = _import_rows(
                    request, club, people_rows, column_numbers_by_field, day_month_order
                )
                if not preview.invalid_rows:
                    return redirect("players")
                remaining_text = _format_remaining_rows(people_rows, preview)
                # A second preview numbers the rows as they are numbered in the text box.
                remaining_rows_preview = preview_people(
                    club=club,
                    content=remaining_text.encode(),
                    column_numbers=column_numbers_by_field,
                    should_guess_columns=False,
                    day_month_order=day_month_order,
                )
                context = {
                    "club": club,
                    "waiting": remaining_rows_preview,
                    "paste": remaining_text,
                }
                return render(request, "seasons/people_list.html", context)
            context["trial"] = preview_people(
                club=club,
                content=people_rows,
                column_numbers=column_numbers_by_field,
                should_guess_columns=False,
                day_month_order=day_month_order,
            )
        except WhistError as error:
            context["problems"] = getattr(error, "problems", None) or [str(error)]
    status = 400 if context.get("problems") else 200
    return render(request, "seasons/people_list.html", context, status=status)


def _import_rows(
    request: HttpRequest,
    club: Club,
    people_rows: list[ListRow],
    column_numbers_by_field: dict[str, int],
    day_month_order: str,
) -> ImportPreview:
    """Import the list, or only its valid rows, and offer to undo the import."""
    preview: ImportPreview = import_people(
        club=club,
        content=people_rows,
        column_numbers=column_numbers_by_field,
        should_guess_columns=False,
        day_month_order=day_month_order,
        should_skip_invalid_rows=request.POST["take"] == "good",
        by=request.user,
    )
    if not preview.has_importable_rows:
        message = _("No changes. Everyone is already in the list.")
        acts = audit.list_acts(club).none()
    else:
        counts = {"new": len(preview.new_people), "changed": len(preview.changed_people)}
        message = _("List imported: %(new)s new, %(changed)s changed.") % counts
        acts = audit.list_acts(club).filter(action="people.imported")
    offer_undo(request, message, acts, reverse("players"))
    return preview


def _format_remaining_rows(people_rows: list[ListRow], preview: ImportPreview) -> str:
    """Return the heading row and the rows that were not imported, as text to correct."""
    heading_index = find_heading_row(people_rows)
    remaining_rows = [
        *([] if heading_index is None else [people_rows[heading_index]]),
        *preview.invalid_rows,
    ]
    buffer = StringIO(newline="")
    csv.writer(buffer, delimiter="\t").writerows(
        [cell.replace(MISSING_FORMULA_VALUE, "") for cell in row.cells]
        for row in remaining_rows
    )
    return buffer.getvalue()


def _read_list_content(request: HttpRequest) -> bytes:
    """Return the content of the list: an uploaded file, pasted text, or the previewed list."""
    uploaded_file = request.FILES.get("file")
    if uploaded_file is not None:
        people_list_bytes = bytes(uploaded_file.read(MAX_BYTES + 1))
    elif request.POST.get("content"):
        try:
            people_list_bytes = b64decode(request.POST["content"], validate=True)
        except NotBase64:
            people_list_bytes = b""
    else:
        people_list_bytes = request.POST.get("paste", "").encode()
    return people_list_bytes


def _read_column_meanings(request: HttpRequest, people_rows: list[ListRow]) -> dict[str, int]:
    """Return the column numbers by field: as the user chose them, or else as guessed."""
    column_count = max(len(row.cells) for row in people_rows)
    chosen_fields_by_column = {
        index: request.POST.get(f"column-{index}", "") for index in range(column_count)
    }
    column_numbers_by_field = {
        key: index for index, key in chosen_fields_by_column.items() if key in FIELD_KEYS
    }
    heading_index = find_heading_row(people_rows) or 0
    return column_numbers_by_field or guess_columns(people_rows[heading_index])


def _build_columns(
    people_rows: list[ListRow], column_numbers_by_field: dict[str, int]
) -> list[ListColumn]:
    try:
        used_column_by_field, _people = determine_columns(
            people_rows, column_numbers_by_field, should_guess=False
        )
    except WhistError:
        used_column_by_field = dict(column_numbers_by_field)
    fields_by_column = {column: key for key, column in used_column_by_field.items()}
    column_count, heading_row_index = (
        max(len(row.cells) for row in people_rows),
        find_heading_row(people_rows) or 0,
    )
    sample_rows = people_rows[heading_row_index : heading_row_index + SAMPLE_CELL_COUNT]
    return [
        ListColumn(
            column_number,
            fields_by_column.get(column_number, ""),
            tuple(
                row.cells[column_number] if column_number < len(row.cells) else ""
                for row in sample_rows
            ),
        )
        for column_number in range(column_count)
    ]
