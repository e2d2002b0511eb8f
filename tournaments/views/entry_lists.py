"""Enter a pasted list or a file: at once, or after what is doubtful or wrong was shown."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from clubs import audit
from clubs.names.tidy import name_key
from clubs.views.undoing import offer_undo
from tournaments import rosters, services
from tournaments.entry_words import NAMES, added
from tournaments.forms import FileForm, PasteForm
from tournaments.models import Entry, Event
from tournaments.rosters import BadLine, Roster, RosterRow


@dataclass(frozen=True, slots=True)
class Preview:
    """What a list would enter, shown before anything is written."""

    ready: int
    doubtful: Sequence[RosterRow] = ()
    bad: Sequence[BadLine] = ()
    text: str = ""
    """The list, or what is left of it, for the box."""
    is_rest: bool = False
    """Whether the other lines were entered just now."""

    @property
    def count(self) -> int:
        """How many entries the button adds, with the doubtful ones."""
        return self.ready + len(self.doubtful)

    @property
    def reasons(self) -> list[str]:
        """Why lines cannot be entered."""
        return [each.why for each in self.bad]


def take_list(
    request: HttpRequest, event: Event, paste: PasteForm, upload: FileForm
) -> Preview | None:
    """Enter the list that was sent; return what needs a look first, or is left over.

    Raises WhistError where there is no list.
    """
    known = {name_key(name) for name in event.club.players.values_list("name", flat=True)}
    names_each = NAMES[Event.Contest(event.contest)]
    if paste.is_bound:
        roster = rosters.read_text(paste.cleaned_data["text"], names_each, known)
    else:
        roster = rosters.read_file(upload.content(), names_each, known)
    _add_refusals(event, roster)
    is_confirmed = request.POST.get("take") == "good"
    if (roster.doubtful or roster.bad) and not is_confirmed:
        ready = len(roster.rows) - len(roster.doubtful)
        return Preview(ready, roster.doubtful, roster.bad, _text(roster, roster.rows))
    sure = set(request.POST.getlist("sure"))
    rows = [row for row in roster.rows if not row.doubts or row.text in sure]
    left = [row for row in roster.rows if row not in rows]
    if rows:
        _enter(request, event, rows, roster.heading)
    if not (left or roster.bad):
        return None
    return Preview(0, left, roster.bad, _text(roster, left), is_rest=True)


def _add_refusals(event: Event, roster: Roster) -> None:
    """Move the rows that the event refuses, such as someone entered already, to the bad."""
    refused = services.try_entries(
        event=event, rows=[(row.place, row.names) for row in roster.rows]
    )
    roster.bad += [
        BadLine(row.text, refused[row.place]) for row in roster.rows if row.place in refused
    ]
    roster.rows = [row for row in roster.rows if row.place not in refused]


def _text(roster: Roster, rows: Sequence[RosterRow]) -> str:
    """Lines for the box to correct: those that are wrong first."""
    lines = [*(each.text for each in roster.bad), *(row.text for row in rows)]
    return "\n".join([roster.heading, *lines] if roster.heading else lines)


def _enter(
    request: HttpRequest, event: Event, rows: Sequence[RosterRow], heading: str
) -> list[Entry]:
    """Enter rows; a team with a name of its own is called so."""
    made = services.enter_many(
        event=event,
        rows=[(row.place, row.names) for row in rows],
        called={row.place: row.called for row in rows if row.called},
        by=request.user,
    )
    acts = audit.history(event).filter(action="entry.made")
    back = reverse("entries", args=[event.slug])
    offer_undo(request, added(event, len(made)), acts, back, many=len(made))
    if heading:
        words = _("The first line was taken for a heading and enters nobody: “%(line)s”.")
        messages.info(request, words % {"line": heading.replace("\t", ", ")})
    return made
