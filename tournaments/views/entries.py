"""Pages of an event's entries, which are typed, pasted, or uploaded."""

from collections.abc import Sequence

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from boards.whist import WhistError
from clubs import audit
from clubs.views.error_messages import show_errors_as_messages
from clubs.views.undo_messages import offer_undo
from tournaments import event_access, services
from tournaments.check_in_units import ENTRY_SIZES
from tournaments.entry_words import format_entered_count, get_entry_texts, join_player_names
from tournaments.event_access import EventAccess
from tournaments.forms import EntryForm, FileForm, PasteForm
from tournaments.models import Entry, Event
from tournaments.place_labels import load_place_labels_by_entry
from tournaments.views.entry_lists import EntryListPreview, save_posted_list


@require_http_methods(["GET", "POST"])
def show_entries(request: HttpRequest, slug: str) -> HttpResponse:
    """List the entries (GET), or add a typed entry, a pasted list or a file (POST)."""
    access = event_access.load_director_event(request, slug)
    event = access.event
    input_method = request.POST.get("how", "typed")
    form_data = request.POST if request.POST and input_method == "typed" else None
    form = EntryForm(form_data, event=event)
    paste_form = PasteForm(request.POST if input_method == "pasted" else None)
    file_form = FileForm(request.POST, request.FILES) if input_method == "file" else FileForm()
    problems: list[str] = []
    preview: EntryListPreview | None = None
    try:
        is_done, preview = _save_posted_entries(request, event, form, paste_form, file_form)
        if is_done:
            return redirect("entries", slug)
    except WhistError as error:
        if form.is_bound:
            form.add_error(None, str(error))
        else:
            problems = getattr(error, "problems", None) or [str(error)]
    if preview:
        paste_form, file_form = PasteForm({"text": preview.list_text}), FileForm()
    return _render_page(request, access, form, paste_form, file_form, problems, preview)


@require_http_methods(["GET", "POST"])
def edit_entry(request: HttpRequest, slug: str, entry_number: int) -> HttpResponse:
    """Change the players' names of an entry."""
    access = event_access.load_director_event(request, slug)
    event = access.event
    entry = get_object_or_404(event.entries, number=entry_number)
    players = entry.players.order_by("entry_memberships__order")
    player_names = [player.name for player in players]
    default_name = join_player_names([player.shown_name for player in players])
    team_name = "" if entry.name == default_name else entry.name
    form = EntryForm(
        request.POST or None, event=event, current_names=player_names, team_name=team_name
    )
    if request.method == "POST" and form.is_valid():
        try:
            services.rename_entry(
                entry=entry, names=form.get_names(), name=form.get_team_name(), by=request.user
            )
            stationary_numbers = [entry.number] if "stays" in request.POST else []
            services.set_stationary_wishes(
                entries=[entry], stationary_numbers=stationary_numbers, by=request.user
            )
        except WhistError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, _("%(name)s saved.") % {"name": entry.name})
            return redirect("entries", slug)
    entry_words = get_entry_texts(event)
    context = access.context | {
        "entry": entry,
        "form": form,
        "players": _list_player_names(event),
        "words": entry_words,
        "heading": entry_words.change_title % {"number": entry_number},
    }
    return render(request, "tournaments/entry_form.html", context)


@require_POST
def delete_entry(request: HttpRequest, slug: str, entry_number: int) -> HttpResponse:
    """Remove an entry."""
    access = event_access.load_director_event(request, slug)
    event = access.event
    entry = event.entries.filter(number=entry_number).first()
    if entry is not None:
        placeholders = {
            "entry": get_entry_texts(event).singular,
            "number": entry_number,
            "name": entry.name,
        }
        with show_errors_as_messages(request):
            services.remove_entry(entry=entry, by=request.user)
            message = _("%(entry)s %(number)s, %(name)s, removed.") % placeholders
            acts = audit.list_acts(event).filter(action="entry.removed")
            offer_undo(request, message, acts, reverse("entries", args=[slug]))
    return redirect("entries", slug)


def _save_posted_entries(
    request: HttpRequest,
    event: Event,
    form: EntryForm,
    paste_form: PasteForm,
    file_form: FileForm,
) -> tuple[bool, EntryListPreview | None]:
    """Save the posted entries.

    Returns whether all were saved. If not, the second value is the preview of the list.
    """
    if form.is_bound:
        return _save_typed_entry(request, event, form), None
    posted_form = paste_form if paste_form.is_bound else file_form
    if not (posted_form.is_bound and posted_form.is_valid()):
        return False, None
    preview = save_posted_list(request, event, paste_form, file_form)
    if preview is None or preview.has_only_remaining_lines:
        _warn_if_seated(request, event)
    return preview is None, preview


def _save_typed_entry(request: HttpRequest, event: Event, form: EntryForm) -> bool:
    """Save the typed entry; return whether the form was valid."""
    if form.is_bound and form.is_valid():
        entry = services.create_entry(
            event=event, names=form.get_names(), name=form.get_team_name(), by=request.user
        )
        messages.success(
            request,
            _("%(entry)s %(number)s: %(name)s.")
            % {
                "entry": get_entry_texts(event).singular,
                "number": entry.number,
                "name": entry.name,
            },
        )
        _warn_if_seated(request, event)
        return True
    return False


def _warn_if_seated(request: HttpRequest, event: Event) -> None:
    """Warn the director if the chosen movement has no seats for the new entries."""
    if event.sessions.filter(sections__isnull=False).exists():
        messages.warning(request, get_entry_texts(event).too_many_text)


def _render_page(
    request: HttpRequest,
    access: EventAccess,
    form: EntryForm,
    paste_form: PasteForm,
    file_form: FileForm,
    problems: Sequence[str],
    preview: EntryListPreview | None,
) -> HttpResponse:
    event = access.event
    has_started = not services.can_add_entries(event)
    entry_words = get_entry_texts(event)
    if paste_form.is_bound:  # the user corrects the list in the text box
        paste_form.fields["text"].widget.attrs["autofocus"] = True
    context = access.context | {
        "words": entry_words,
        "entered": format_entered_count(event, event.entries.count()),
        "entries": _list_entries(access),
        "form": form,
        "paste_form": paste_form,
        "file_form": file_form,
        "players": _list_player_names(event),
        "problems": problems,
        "preview": preview,
        "locked_text": entry_words.started_text if has_started else "",
        "refused": request.method == "POST",
        "can_check_in": event.contest in ENTRY_SIZES,
    }
    has_problems = problems or (
        preview and preview.invalid_lines and not preview.has_only_remaining_lines
    )
    return render(
        request, "tournaments/entries.html", context, status=400 if has_problems else 200
    )


def _list_entries(access: EventAccess) -> list[tuple[Entry, str]]:
    """Return each entry with the label of its seat, or "" if it has no seat."""
    event = access.event
    place_labels_by_entry = load_place_labels_by_entry(access.session)
    entries = event.entries.prefetch_related("players")
    return [(entry, place_labels_by_entry.get(entry.pk, "")) for entry in entries]


def _list_player_names(event: Event) -> list[str]:
    return list(event.club.players.values_list("name", flat=True))
