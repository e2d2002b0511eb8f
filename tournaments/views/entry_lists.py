"""Pasted and uploaded lists of entries: saved at once, or previewed if a line is doubtful."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from clubs import audit
from clubs.names.tidy import build_name_key
from clubs.views.undo_messages import offer_undo
from tournaments import rosters, services
from tournaments.entry_words import NAMES_PER_ENTRY, format_added_count
from tournaments.forms import FileForm, PasteForm
from tournaments.models import Entry, Event
from tournaments.rosters import BadLine, Roster, RosterRow


@dataclass(frozen=True, slots=True)
class Preview:
    """The preview of a list of entries before anything is stored."""

    ready: int
    doubtful: Sequence[RosterRow] = ()
    invalid_lines: Sequence[BadLine] = ()
    text: str = ""
    """The list, or its remaining lines, for the text box."""
    is_rest: bool = False
    """Whether `text` has only the lines that remain after the others were entered."""

    @property
    def count(self) -> int:
        """The number of entries that the button adds, including doubtful ones."""
        return self.ready + len(self.doubtful)

    @property
    def reasons(self) -> list[str]:
        """The reasons why lines cannot be entered."""
        return [line.reason for line in self.invalid_lines]


def save_posted_list(
    request: HttpRequest, event: Event, paste: PasteForm, upload: FileForm
) -> Preview | None:
    """Save the posted list; return a preview of the lines that need a review or remain.

    Returns None if all lines were saved. Raises WhistError if there is no list.
    """
    if paste.is_bound:
        text = paste.cleaned_data["text"]
        roster = rosters.read_text(text, _names_per_entry(event), _load_known_names(event))
    else:
        roster = rosters.read_file(
            upload.content(), _names_per_entry(event), _load_known_names(event)
        )
        lines: list[RosterRow | BadLine] = [*roster.rows, *roster.invalid_lines]
        text = _format_lines(roster, lines)
    _move_refused_rows(event, roster)
    if (roster.doubtful or roster.invalid_lines) and request.POST.get("take") != "good":
        ready = len(roster.rows) - len(roster.doubtful)
        return Preview(ready, roster.doubtful, roster.invalid_lines, text)
    sure = set(request.POST.getlist("sure"))
    rows = [row for row in roster.rows if not row.doubts or row.text in sure]
    if rows:
        _create_entries(request, event, rows, roster.heading)
    remaining_lines: list[RosterRow | BadLine] = [row for row in roster.rows if row not in rows]
    remaining_lines += roster.invalid_lines
    return (
        _parse_rest(event, _format_lines(roster, remaining_lines)) if remaining_lines else None
    )


def _parse_rest(event: Event, text: str) -> Preview:
    """Parse the remaining lines again, which renumbers them as in the text box."""
    roster = rosters.read_text(text, _names_per_entry(event), _load_known_names(event))
    _move_refused_rows(event, roster)
    ready = len(roster.rows) - len(roster.doubtful)
    return Preview(ready, roster.doubtful, roster.invalid_lines, text, is_rest=True)


def _names_per_entry(event: Event) -> int:
    return NAMES_PER_ENTRY[Event.Contest(event.contest)]


def _load_known_names(event: Event) -> set[str]:
    """Return the normalised names of the club's players, which parsing must not change."""
    return {build_name_key(name) for name in event.club.players.values_list("name", flat=True)}


def _move_refused_rows(event: Event, roster: Roster) -> None:
    """Move rows that cannot be entered, such as players entered already, to the bad lines."""
    error = services.check_entries(
        event=event, rows=[(row.place, row.names) for row in roster.rows]
    )
    roster.invalid_lines += [
        BadLine(row.text, error[row.place], row.line)
        for row in roster.rows
        if row.place in error
    ]
    roster.invalid_lines.sort(key=lambda line: line.line)
    roster.rows = [row for row in roster.rows if row.place not in error]


def _format_lines(roster: Roster, lines: Sequence[RosterRow | BadLine]) -> str:
    """Return lines of a list as text for the text box, in their order, with the heading."""
    texts = [line.text for line in sorted(lines, key=lambda line: line.line)]
    return "\n".join([roster.heading, *texts] if roster.heading else texts)


def _create_entries(
    request: HttpRequest, event: Event, rows: Sequence[RosterRow], heading: str
) -> list[Entry]:
    """Create the entries of rows; a team whose row has a team name gets that name."""
    new_entries = services.create_entries(
        event=event,
        rows=[(row.place, row.names) for row in rows],
        called={row.place: row.called for row in rows if row.called},
        by=request.user,
    )
    acts = audit.list_acts(event).filter(action="entry.made")
    entries_url = reverse("entries", args=[event.slug])
    offer_undo(
        request,
        format_added_count(event, len(new_entries)),
        acts,
        entries_url,
        act_count=len(new_entries),
    )
    if heading:
        message = _("The first line was read as a heading: “%(line)s”.")
        messages.info(request, message % {"line": heading.replace("\t", ", ")})
    return new_entries
