"""The titles of the acts of a drive, by the codes of its history."""

from collections.abc import Mapping, Sequence

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.activities.history import HistoryFormatter
from drives.scores.score_format import format_score
from drives.table_marks import get_table_marks

TITLES: Mapping[str, str | Promise] = {
    "drive.apart": gettext_lazy("Two kept apart, or no more"),
    "drive.brought_back": gettext_lazy("Drive brought back into the lists"),
    "drive.changed": gettext_lazy("Terms of the drive changed"),
    "drive.closed": gettext_lazy("Drive closed, prizes given"),
    "drive.created": gettext_lazy("Drive made"),
    "drive.cut": gettext_lazy("Who won the cut for a prize"),
    "drive.described": gettext_lazy("More said of a player"),
    "drive.house": gettext_lazy("House players"),
    "drive.imported": gettext_lazy("Drive read from a file"),
    "drive.late": gettext_lazy("A player came late"),
    "drive.left": gettext_lazy("A player left"),
    "drive.links_made": gettext_lazy("Codes made for score cards"),
    "drive.links_revoked": gettext_lazy("Codes of score cards cancelled"),
    "drive.named": gettext_lazy("Name put to a card"),
    "drive.players": gettext_lazy("Players added"),
    "drive.prizes": gettext_lazy("List of prizes"),
    "drive.put_away": gettext_lazy("Drive archived: no list shows it"),
    "drive.put_back": gettext_lazy("Players and seats put back"),
    "drive.reopened": gettext_lazy("Drive opened again"),
    "drive.round": gettext_lazy("Next round"),
    "drive.rounds": gettext_lazy("Number of rounds"),
    "drive.seated": gettext_lazy("A player stays seated, or no more"),
    "drive.sheet": gettext_lazy("Score of a table"),
    "drive.sheet_agreed": gettext_lazy("Score confirmed by the other side"),
    "drive.sheet_asked_again": gettext_lazy("Score to be confirmed again"),
    "drive.substitute": gettext_lazy("A substitute took over"),
    "drive.thrown_away": gettext_lazy("Rehearsal discarded"),
    "drive.total": gettext_lazy("Total of a score card"),
}


def build_history_words() -> HistoryFormatter:
    """Return the texts of a drive's acts, and of its tables' marks."""
    return HistoryFormatter(
        titles={**TITLES, **get_table_marks().titles},
        value_formatters={"extras": _format_extras},
        format_numbers=format_score,
    )


def _format_extras(value: Sequence[int]) -> str:
    return _("extras %(figures)s") % {"figures": format_score(value)}
