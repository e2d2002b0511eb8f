"""Who takes part: typed, pasted, or from a file."""

from collections.abc import Sequence

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from boards.whist import WhistError
from tournaments import access, rosters, services
from tournaments.errors import RosterRefused
from tournaments.forms import FileForm, PairForm, PasteForm
from tournaments.models import Event, Session
from tournaments.rosters import RosterRow


@require_http_methods(["GET", "POST"])
def entries(request: HttpRequest, slug: str) -> HttpResponse:
    """List the pairs, and take one more, a pasted list, or a file."""
    event = access.director_event(request, slug)
    how = request.POST.get("how", "typed")
    form = PairForm(request.POST if request.POST and how == "typed" else None)
    paste = PasteForm(request.POST if how == "pasted" else None)
    upload = FileForm(request.POST, request.FILES) if how == "file" else FileForm()
    problems: list[str] = []
    if request.method == "POST":
        try:
            if _take(request, event, form, paste, upload):
                return redirect("entries", slug)
        except RosterRefused as refused:
            problems = refused.problems
        except WhistError as refused:
            form.add_error(None, str(refused))
    return _page(request, event, form, paste, upload, problems)


@require_http_methods(["GET", "POST"])
def entry_edit(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Put other names into a pair."""
    event = access.director_event(request, slug)
    entry = get_object_or_404(event.entries, number=number)
    names = [player.name for player in entry.players.order_by("entry_memberships__order")]
    initial = dict(zip(("player1", "player2"), names, strict=False))
    form = PairForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            services.rename_entry(entry=entry, names=form.names(), by=request.user)
        except WhistError as refused:
            form.add_error(None, str(refused))
        else:
            return redirect("entries", slug)
    context = {"event": event, "entry": entry, "form": form, "players": _club_players(event)}
    return render(request, "tournaments/entry_form.html", context)


@require_POST
def entry_remove(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Take a pair out again."""
    event = access.director_event(request, slug)
    entry = event.entries.filter(number=number).first()
    if entry is not None:
        try:
            services.remove_entry(entry=entry, by=request.user)
            messages.success(
                request, _("Pair %(pair)s is taken out.") % {"pair": f"{number}, {entry.name},"}
            )
        except WhistError as refused:
            messages.error(request, str(refused))
    return redirect("entries", slug)


def _take(
    request: HttpRequest, event: Event, form: PairForm, paste: PasteForm, upload: FileForm
) -> bool:
    """Enter what was sent; say whether anything was."""
    if form.is_bound and form.is_valid():
        entry = services.enter(event=event, names=form.names(), by=request.user)
        messages.success(
            request,
            _("Pair %(number)s: %(name)s.") % {"number": entry.number, "name": entry.name},
        )
        _warn_if_seated(request, event)
        return True
    rows: Sequence[RosterRow] = ()
    if paste.is_bound and paste.is_valid():
        rows = rosters.read_text(paste.cleaned_data["text"])
    elif upload.is_bound and upload.is_valid():
        rows = rosters.read_file(upload.content())
    if not rows:
        return False
    made = services.enter_many(
        event=event, rows=[(row.place, row.names) for row in rows], by=request.user
    )
    words = ngettext("%(count)s pair is added.", "%(count)s pairs are added.", len(made))
    messages.success(request, words % {"count": len(made)})
    _warn_if_seated(request, event)
    return True


def _warn_if_seated(request: HttpRequest, event: Event) -> None:
    """Tell that a movement chosen for fewer pairs gives the new ones no seat."""
    if event.sessions.filter(sections__isnull=False).exists():
        messages.warning(
            request,
            _("The movement was chosen for fewer pairs. Choose it again: all need a seat."),
        )


def _page(
    request: HttpRequest,
    event: Event,
    form: PairForm,
    paste: PasteForm,
    upload: FileForm,
    problems: Sequence[str],
) -> HttpResponse:
    started = event.state != Session.State.PLANNED
    context = {
        "event": event,
        "entries": event.entries.prefetch_related("players"),
        "form": form,
        "paste_form": paste,
        "file_form": upload,
        "players": _club_players(event),
        "problems": problems,
        "locked_text": _(
            "The session has been opened, so its pairs stand. Names can still be put right."
        )
        if started
        else "",
    }
    return render(request, "tournaments/entries.html", context, status=400 if problems else 200)


def _club_players(event: Event) -> list[str]:
    return list(event.club.players.values_list("name", flat=True))
