"""The titles of the acts in the history of a rubber night, by the code of the act."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from clubs.activities.history import HistoryFormatter
from drives.scores.score_format import format_score
from rubbers.rubber.codes import LAW_CODES_BY_NAME
from rubbers.sheets.words import format_hand

TITLES_BY_ACTION: Mapping[str, str | Promise] = {
    "rubbers.belonging_put_back": gettext_lazy("Players at a table restored"),
    "rubbers.brought_back": gettext_lazy("Night restored"),
    "rubbers.changed": gettext_lazy("Night settings changed"),
    "rubbers.closed": gettext_lazy("Night closed"),
    "rubbers.corrected": gettext_lazy("Hand corrected"),
    "rubbers.created": gettext_lazy("Rubber night created"),
    "rubbers.imported": gettext_lazy("Night imported"),
    "rubbers.joined": gettext_lazy("Joined a table"),
    "rubbers.left": gettext_lazy("Left a table"),
    "rubbers.marked": gettext_lazy("Hand entered"),
    "rubbers.put_away": gettext_lazy("Night archived"),
    "rubbers.renamed": gettext_lazy("Name changed"),
    "rubbers.reopened": gettext_lazy("Night reopened"),
    "rubbers.seated": gettext_lazy("Next four seated"),
    "rubbers.settled": gettext_lazy("Round ended early at a table"),
    "rubbers.substitute": gettext_lazy("Substitute"),
    "rubbers.table_added": gettext_lazy("Table added"),
    "rubbers.table_dropped": gettext_lazy("Table removed"),
    "rubbers.unmarked": gettext_lazy("Hand undone"),
    "rubbers.unseated": gettext_lazy("Seating undone"),
    "rubbers.unsettled": gettext_lazy("Round continued at a table"),
}

HISTORY_FORMATTER = HistoryFormatter(
    titles_by_action=TITLES_BY_ACTION,
    formatters_by_value_name={
        "marked": format_hand,
        "code": lambda name: (
            LAW_CODES_BY_NAME[name].title if name in LAW_CODES_BY_NAME else str(name)
        ),
    },
    format_numbers=format_score,
)
"""The texts that describe a night's acts in the history."""

DRIVE_TITLES_BY_ACTION: Mapping[str, str | Promise] = {
    "drive.rubbers": gettext_lazy("Rubber scoring started"),
    "drive.rubbers_dropped": gettext_lazy("Rubber scoring stopped"),
}
"""The titles of the acts that enable or disable rubbers at a drive's tables."""
