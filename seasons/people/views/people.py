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
from clubs import access, audit
from clubs.archives.spec import ArchiveSpec
from clubs.models import Club, Player, TwoPeople
from clubs.name_folding import fold_name, split_search_words
from clubs.people.columns import FIELD_KEYS, determine_columns, find_heading_row, guess_columns
from clubs.people.dates import DATE_ORDERS
from clubs.people.import_preview import ImportPreview
from clubs.people.limits import MAX_BYTES, NO_VALUE, ListRow
from clubs.people.similar_names import list_similar_pairs
from clubs.people.tables import read_list
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
MAX_CHOICES = 300
"""The maximum number of players for which the merge page has a choice list.

In a larger club, the director types the name of the player who remains.
"""
SAMPLE_CELLS = 5
WORDS: dict[str, Promise] = {
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
    club = access.get_current_club(request, request.GET.get("club", ""))
    words = request.GET.get("q", "").strip()[:100]
    everybody = Player.objects.filter(club=club)
    found = everybody.order_by("plain", "pk").only("name", "shown", "kind", "forgotten_on")
    for word in split_search_words(words):
        found = found.filter(plain__contains=word)
    asked = {"club": request.GET.get("club", ""), "q": words}
    context = {
        "clubs": access.list_directed_clubs(request),
        "club": club,
        "words": words,
        "count": everybody.exists(),
        "shows_grades": club is not None
        and (club.has_congress_features or get_grade_book(club) is not None),
        "players": Paginator(found, NAMES_PER_PAGE).get_page(request.GET.get("page")),
        "query_string": urlencode({key: value for key, value in asked.items() if value}),
    }
    return render(request, "seasons/players.html", context)


@require_http_methods(["GET", "POST"])
def player_edit(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a person's name, visibility, details and consents (GET), or change them (POST)."""
    player = access.get_player_for_director(request, pk)
    form = PersonForm(
        request.POST or None, instance=access.get_player_for_director(request, pk)
    )
    if request.method == "POST" and form.is_valid():
        before = audit.list_acts(player.club).values_list("pk", flat=True).first() or 0
        try:
            _save_form(request, player, form)
        except WhistError as problem:
            form.add_error(None, str(problem))
        else:
            words = _("%(name)s saved.") % {"name": form.cleaned_data["name"]}
            done = audit.list_acts(player.club).filter(pk__gt=before)
            offer_undo(request, words, done, reverse("player_edit", args=[pk]))
            return redirect("player_edit", pk)
    others = player.club.players.exclude(pk=pk).filter(forgotten_on=None)
    context = {
        "form": form,
        "player": player,
        "events": _events_of(player),
        "has_others": others.exists(),
        "others": others.order_by("plain", "pk").only("name")[: MAX_CHOICES + 1],
        "chosen_from": MAX_CHOICES,
    }
    return render(request, "seasons/player_form.html", context)


@require_POST
def player_add(request: HttpRequest) -> HttpResponse:
    """Add a player to the club by name, and show the player's page."""
    club = access.get_directed_club(request)
    known = set(club.players.values_list("pk", flat=True))
    with show_errors_as_messages(request):
        player = services.add_player(
            club=club, name=request.POST.get("name", ""), by=request.user
        )
        page = reverse("player_edit", args=[player.pk])
        if player.pk in known:
            messages.info(request, _("%(name)s is already a player.") % {"name": player.name})
        else:
            acts = audit.list_acts(club).filter(action="player.added")
            words = _("%(name)s added.") % {"name": player.name}
            offer_undo(request, words, acts, reverse("players"))
        return redirect(page)
    return redirect(f"{reverse('players')}?club={club.slug}")


@require_POST
def player_remove(request: HttpRequest, pk: int) -> HttpResponse:
    """Delete a player who was never in an entry."""
    player = access.get_player_for_director(request, pk)
    with show_errors_as_messages(request):
        services.remove_player(player=player, by=request.user)
        words = _("%(name)s removed.") % {"name": player.name}
        acts = audit.list_acts(player.club).filter(action="player.removed")
        offer_undo(request, words, acts, reverse("players"))
        return redirect("players")
    return redirect("player_edit", pk)


@require_http_methods(["GET", "POST"])
def player_merge(request: HttpRequest, pk: int) -> HttpResponse:
    """Show which rows a merge of two players would move (GET), or merge them (POST)."""
    gone = Player.objects.filter(pk=pk).first()
    if gone is None:  # a double click
        return redirect("players")
    gone = access.get_player_for_director(request, pk)
    kept = _find_remaining_player(request, gone.club)
    if kept is None:
        messages.error(request, _("Choose which name to keep."))
        return redirect("player_edit", pk)
    was_shown = kept.shown
    if request.method == "POST":
        try:
            services.merge_players(gone=gone, kept=kept, by=request.user)
        except WhistError as refused:
            messages.error(request, str(refused))
            return redirect("player_edit", pk)
        words = _("%(gone)s merged into %(kept)s.")
        messages.success(request, words % {"gone": gone.name, "kept": kept.name})
        if kept.shown != was_shown:
            words = _("Everyone now sees %(shown)s instead of %(gone)s.")
            shown = kept.get_shown_display()
            messages.info(request, words % {"gone": gone.name, "shown": shown})
        return redirect("players")
    context = {"gone": gone, "kept": kept, "events": _events_of(gone)}
    return render(request, "seasons/player_merge.html", context)


def _save_form(request: HttpRequest, player: Player, form: PersonForm) -> None:
    """Save the form; the name and its visibility are recorded as separate actions."""
    data, by = form.cleaned_data, request.user
    with transaction.atomic():
        services.rename_player(player=player, name=data["name"], by=by)
        services.set_player_visibility(player=player, shown=data["shown"], by=by)
        update_person(player=player, details=form.details, consents=form.consents, by=by)


def _find_remaining_player(request: HttpRequest, club: Club) -> Player | None:
    """Return the player who is to remain after a merge; None if unknown."""
    sent = request.POST or request.GET
    chosen = parse_whole_number(sent.get("into"))
    if chosen:
        return club.players.filter(pk=chosen).first()
    name = fold_name(" ".join(sent.get("name", "")[:100].split()))
    return club.players.filter(plain=name).order_by("pk").first() if name else None


def _events_of(player: Player) -> list[object]:
    events = Event.objects.filter(entries__players=player).with_sessions().distinct()
    return [build_event_line(event) for event in events]


@dataclass(frozen=True, slots=True)
class SimilarNames:
    """Two players with similar names; `is_sure` if their e-mail addresses are equal."""

    one: Player
    other: Player
    is_sure: bool


@require_http_methods(["GET", "POST"])
def edit_similar_names(request: HttpRequest) -> HttpResponse:
    """List similar names (GET), or mark two players as different people (POST)."""
    club = access.get_directed_club(request)
    if request.method == "POST":
        keys = [parse_number_or_zero(request.POST.get(key, "")) for key in ("one", "other")]
        people = list(club.players.filter(pk__in=keys))
        if len(people) == 2:
            clubs.services.record_two_people(one=people[0], other=people[1], by=request.user)
            words = _("%(one)s and %(other)s are kept as two people.")
            words %= {"one": people[0].name, "other": people[1].name}
            acts = audit.list_acts(club).filter(action="players.apart")
            offer_undo(request, words, acts, reverse("doubles"))
        else:
            messages.error(request, _("One of these players no longer exists."))
        return redirect(f"{reverse('doubles')}?club={club.slug}")
    context = {"club": club, "doubles": list_similar_names(club)}
    return render(request, "seasons/doubles.html", context)


def list_similar_names(club: Club) -> list[SimilarNames]:
    """Return pairs of players with similar names who are not marked as different people."""
    people = {each.name: each for each in club.players.order_by("pk")}
    apart = set(TwoPeople.objects.filter(one__club=club).values_list("one", "other"))
    by_address: dict[str, list[Player]] = defaultdict(list)
    for each in people.values():
        if each.email:
            by_address[each.email.casefold()].append(each)
    sure = {
        (one.pk, other.pk): SimilarNames(one, other, is_sure=True)
        for shared in by_address.values()
        for place, one in enumerate(shared)
        for other in shared[place + 1 :]
    }
    likely = [
        sorted((people[a], people[b]), key=lambda each: each.pk)
        for a, b in list_similar_pairs(people)
    ]
    found = {
        (one.pk, other.pk): SimilarNames(one, other, is_sure=False) for one, other in likely
    } | sure
    return [double for key, double in found.items() if key not in apart]


View = Callable[..., HttpResponse]


def player_forget(spec: ArchiveSpec) -> View:
    """Return the view that deletes a person's data.

    `spec` declares which database rows refer to a club.
    """

    @require_http_methods(["GET", "POST"])
    def page(request: HttpRequest, pk: int) -> HttpResponse:
        player = access.get_player_for_director(request, pk)
        if player.forgotten_on is not None:
            return redirect("player_edit", pk)
        problem = ""
        if request.method == "POST":
            typed = request.POST.get("name", "")[:100]
            try:
                delete_personal_data(player=player, typed=typed, spec=spec, by=request.user)
            except WhistError as refused:
                problem = str(refused)
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

    return page


@dataclass(frozen=True, slots=True)
class ListColumn:
    """A column of an uploaded list of people: its assumed meaning, and its first cells."""

    number: int
    key: str
    cells: tuple[str, ...]


@require_http_methods(["GET", "POST"])
def people_list(request: HttpRequest) -> HttpResponse:
    """Parse an uploaded list of people and show a preview; import it once it is confirmed."""
    club = access.get_directed_club(request)
    context: dict[str, Any] = {"club": club, "words": WORDS}
    if request.method == "POST":
        try:
            content = _read_content(request)
            rows = read_list(content)
            said, order = _read_column_meanings(request, rows), request.POST.get("order", "")
            order = order if order in DATE_ORDERS else ""
            context |= {
                "content": b64encode(content).decode(),
                "columns": _build_columns(rows, said),
                "order": order,
            }
            if "take" in request.POST:
                trial = _import_rows(request, club, content, said, order)
                if not trial.waiting:
                    return redirect("players")
                paste = _format_remaining_rows(rows, trial)
                waiting = (
                    preview_people(  # again, so that row numbers are those of the text box
                        club=club,
                        content=paste.encode(),
                        said=said,
                        guessing=False,
                        order=order,
                    )
                )
                context = {"club": club, "waiting": waiting, "paste": paste}
                return render(request, "seasons/people_list.html", context)
            context["trial"] = preview_people(
                club=club, content=content, said=said, guessing=False, order=order
            )
        except WhistError as problem:
            context["problems"] = getattr(problem, "problems", None) or [str(problem)]
    status = 400 if context.get("problems") else 200
    return render(request, "seasons/people_list.html", context, status=status)


def _import_rows(
    request: HttpRequest, club: Club, content: bytes, said: dict[str, int], order: str
) -> ImportPreview:
    """Import the list, or only its valid rows, and offer to undo the import."""
    trial: ImportPreview = import_people(
        club=club,
        content=content,
        said=said,
        guessing=False,
        order=order,
        leave_faulty=request.POST["take"] == "good",
        by=request.user,
    )
    if not trial.has_good_rows:
        text = _("No changes. Everyone is already in the list.")
        acts = audit.list_acts(club).none()
    else:
        counts = {"new": len(trial.new), "changed": len(trial.changed)}
        text = _("List imported: %(new)s new, %(changed)s changed.") % counts
        acts = audit.list_acts(club).filter(action="people.imported")
    offer_undo(request, text, acts, reverse("players"))
    return trial


def _format_remaining_rows(rows: list[ListRow], trial: ImportPreview) -> str:
    """Return the rows that were not imported, with the heading row, as text to correct and
    paste.
    """
    head = find_heading_row(rows)
    kept = [*([] if head is None else [rows[head]]), *trial.waiting]
    text = StringIO(newline="")
    csv.writer(text, delimiter="\t").writerows(
        [cell.replace(NO_VALUE, "") for cell in row.cells] for row in kept
    )
    return text.getvalue()


def _read_content(request: HttpRequest) -> bytes:
    """Return the content of the list: an uploaded file, pasted text, or the previewed list."""
    sent = request.FILES.get("file")
    if sent is not None:
        content = bytes(sent.read(MAX_BYTES + 1))
    elif request.POST.get("content"):
        try:
            content = b64decode(request.POST["content"], validate=True)
        except NotBase64:
            content = b""
    else:
        content = request.POST.get("paste", "").encode()
    return content


def _read_column_meanings(request: HttpRequest, rows: list[ListRow]) -> dict[str, int]:
    """Return the meanings of the columns, as the user chose them or else as guessed."""
    widest = max(len(row.cells) for row in rows)
    chosen = {at: request.POST.get(f"column-{at}", "") for at in range(widest)}
    found = {key: at for at, key in chosen.items() if key in FIELD_KEYS}
    return found or guess_columns(rows[find_heading_row(rows) or 0])


def _build_columns(rows: list[ListRow], said: dict[str, int]) -> list[ListColumn]:
    try:
        at, _people = determine_columns(rows, said, guessing=False)
    except WhistError:
        at = dict(said)
    keys = {column: key for key, column in at.items()}
    widest, first = max(len(row.cells) for row in rows), find_heading_row(rows) or 0
    seen = rows[first : first + SAMPLE_CELLS]
    return [
        ListColumn(
            number,
            keys.get(number, ""),
            tuple(row.cells[number] if number < len(row.cells) else "" for row in seen),
        )
        for number in range(widest)
    ]
