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
from tournaments.rosters import InvalidLine, Roster, RosterRow


@dataclass(frozen=True, slots=True)
class EntryListPreview:
    """The preview of a list of entries before anything is stored."""

    ready_count: int
    doubtful_rows: Sequence[RosterRow] = ()
    invalid_lines: Sequence[InvalidLine] = ()
    list_text: str = ""
    """The list, or its remaining lines, for the text box."""
    has_only_remaining_lines: bool = False
    """Whether `list_text` has only the lines that remain after the others were entered."""

    @property
    def new_entry_count(self) -> int:
        """The number of entries that the button adds, including doubtful ones."""
        return self.ready_count + len(self.doubtful_rows)

    @property
    def reasons(self) -> list[str]:
        """The reasons why lines cannot be entered."""
        return [line.reason for line in self.invalid_lines]


def save_posted_list(
    request: HttpRequest, event: Event, paste_form: PasteForm, file_form: FileForm
) -> EntryListPreview | None:
    """Save the posted list; return a preview of the lines that need a review or remain.

    Returns None if all lines were saved. Raises WhistError if there is no list.
    """
    if paste_form.is_bound:
        list_text = paste_form.cleaned_data["text"]
        roster = rosters.read_text(
            list_text, _get_names_per_entry(event), _load_known_names(event)
        )
    else:
        roster = rosters.read_file(
            file_form.read_content(), _get_names_per_entry(event), _load_known_names(event)
        )
        lines: list[RosterRow | InvalidLine] = [*roster.rows, *roster.invalid_lines]
        list_text = _format_lines(roster, lines)
    _move_invalid_rows(event, roster)
    if (roster.doubtful_rows or roster.invalid_lines) and request.POST.get("take") != "good":
        ready_count = len(roster.rows) - len(roster.doubtful_rows)
        return EntryListPreview(
            ready_count, roster.doubtful_rows, roster.invalid_lines, list_text
        )
    confirmed_lines = set(request.POST.getlist("sure"))
    rows = [row for row in roster.rows if not row.doubts or row.line_text in confirmed_lines]
    if rows:
        _create_entries(request, event, rows, roster.heading)
    remaining_lines: list[RosterRow | InvalidLine] = [
        row for row in roster.rows if row.doubts and row.line_text not in confirmed_lines
    ]
    remaining_lines += roster.invalid_lines
    return (
        _preview_remaining_lines(event, _format_lines(roster, remaining_lines))
        if remaining_lines
        else None
    )


def _preview_remaining_lines(event: Event, list_text: str) -> EntryListPreview:
    """Parse the remaining lines again, which renumbers them as in the text box."""
    roster = rosters.read_text(list_text, _get_names_per_entry(event), _load_known_names(event))
    _move_invalid_rows(event, roster)
    ready_count = len(roster.rows) - len(roster.doubtful_rows)
    return EntryListPreview(
        ready_count,
        roster.doubtful_rows,
        roster.invalid_lines,
        list_text,
        has_only_remaining_lines=True,
    )


def _get_names_per_entry(event: Event) -> int:
    return NAMES_PER_ENTRY[Event.Contest(event.contest)]


def _load_known_names(event: Event) -> set[str]:
    """Return the normalised names of the club's players, which parsing must not change."""
    return {build_name_key(name) for name in event.club.players.values_list("name", flat=True)}


def _move_invalid_rows(event: Event, roster: Roster) -> None:
    """Move rows that cannot be entered to the invalid lines, e.g. if a player has an entry."""
    reasons_by_position = services.check_entries(
        event=event, rows=[(row.position, row.names) for row in roster.rows]
    )
    roster.invalid_lines += [
        InvalidLine(row.line_text, reasons_by_position[row.position], row.line_number)
        for row in roster.rows
        if row.position in reasons_by_position
    ]
    roster.invalid_lines.sort(key=lambda line: line.line_number)
    roster.rows = [row for row in roster.rows if row.position not in reasons_by_position]


def _format_lines(roster: Roster, lines: Sequence[RosterRow | InvalidLine]) -> str:
    """Return lines as text for the text box, in the order of the list, with the heading."""
    line_texts = [line.line_text for line in sorted(lines, key=lambda line: line.line_number)]
    return "\n".join([roster.heading, *line_texts] if roster.heading else line_texts)


def _create_entries(
    request: HttpRequest, event: Event, rows: Sequence[RosterRow], heading: str
) -> list[Entry]:
    """Create an entry for each row, and offer to undo this; a row may have a team name."""
    new_entries = services.create_entries(
        event=event,
        rows=[(row.position, row.names) for row in rows],
        team_names_by_position={row.position: row.team_name for row in rows if row.team_name},
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
