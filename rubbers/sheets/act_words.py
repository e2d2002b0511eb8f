"""The titles of the acts of a rubber night, by the codes of its history."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from clubs.activities.history import HistoryFormatter
from drives.scores.score_format import format_score
from rubbers.sheets.words import format_hand

TITLES: Mapping[str, str | Promise] = {
    "rubbers.belonging_put_back": gettext_lazy("Who belongs to a table, put back"),
    "rubbers.brought_back": gettext_lazy("Night brought back into the lists"),
    "rubbers.changed": gettext_lazy("Terms of the night changed"),
    "rubbers.closed": gettext_lazy("Night closed"),
    "rubbers.corrected": gettext_lazy("Hand put right"),
    "rubbers.created": gettext_lazy("Rubber night begun"),
    "rubbers.imported": gettext_lazy("Night read from a file"),
    "rubbers.joined": gettext_lazy("Joined a table"),
    "rubbers.left": gettext_lazy("Left a table"),
    "rubbers.marked": gettext_lazy("Hand marked"),
    "rubbers.put_away": gettext_lazy("Night archived: no list shows it"),
    "rubbers.renamed": gettext_lazy("Another name"),
    "rubbers.reopened": gettext_lazy("Night opened again"),
    "rubbers.seated": gettext_lazy("Next four seated"),
    "rubbers.settled": gettext_lazy("Round at a table ended as it stood"),
    "rubbers.substitute": gettext_lazy("A substitute, or no more"),
    "rubbers.table_added": gettext_lazy("Table added"),
    "rubbers.table_dropped": gettext_lazy("Table taken out"),
    "rubbers.unmarked": gettext_lazy("Hand taken back"),
    "rubbers.unseated": gettext_lazy("Seating taken back"),
    "rubbers.unsettled": gettext_lazy("Round at a table goes on"),
}

HISTORY_WORDS = HistoryFormatter(
    titles=TITLES, value_formatters={"marked": format_hand}, format_numbers=format_score
)
"""The texts of a night's acts."""

DRIVE_TITLES: Mapping[str, str | Promise] = {
    "drive.rubbers": gettext_lazy("Tables mark rubbers"),
    "drive.rubbers_dropped": gettext_lazy("Tables mark no rubbers"),
}
"""The titles of the acts by which a drive's tables begin or stop to record rubbers."""
