"""The titles of the acts of a drive, by the codes of its history."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clubs.activities.history import HistoryFormatter
from drives.scores.score_format import format_score
from drives.table_marks import get_table_marks

TITLES: Mapping[str, str | Promise] = {
    "drive.apart": gettext_lazy("Players kept apart"),
    "drive.brought_back": gettext_lazy("Drive restored"),
    "drive.changed": gettext_lazy("Drive settings changed"),
    "drive.checked_in": gettext_lazy("Started from check-in"),
    "drive.closed": gettext_lazy("Drive closed, prizes awarded"),
    "drive.created": gettext_lazy("Drive created"),
    "drive.cut": gettext_lazy("Winner of a cut"),
    "drive.described": gettext_lazy("Player details changed"),
    "drive.house": gettext_lazy("Stand-ins"),
    "drive.imported": gettext_lazy("Drive imported"),
    "drive.late": gettext_lazy("Late player added"),
    "drive.left": gettext_lazy("Player withdrew"),
    "drive.links_made": gettext_lazy("QR codes created for score cards"),
    "drive.links_revoked": gettext_lazy("QR codes of score cards cancelled"),
    "drive.named": gettext_lazy("Name on a card changed"),
    "drive.players": gettext_lazy("Players added"),
    "drive.points": gettext_lazy("Points of contracts changed"),
    "drive.prizes": gettext_lazy("Prize list"),
    "drive.put_away": gettext_lazy("Drive archived"),
    "drive.put_back": gettext_lazy("Players and seats restored"),
    "drive.reopened": gettext_lazy("Drive reopened"),
    "drive.round": gettext_lazy("Next round"),
    "drive.rounds": gettext_lazy("Number of rounds"),
    "drive.seated": gettext_lazy("Stationary player"),
    "drive.sheet": gettext_lazy("Table score"),
    "drive.sheet_agreed": gettext_lazy("Score confirmed by the other side"),
    "drive.sheet_asked_again": gettext_lazy("Score needs confirming again"),
    "drive.substitute": gettext_lazy("A substitute took over"),
    "drive.thrown_away": gettext_lazy("Rehearsal deleted"),
    "drive.total": gettext_lazy("Card total"),
}


def build_history_words() -> HistoryFormatter:
    """Return the texts of a drive's acts, and of its tables' marks."""
    return HistoryFormatter(
        titles={**TITLES, **get_table_marks().titles},
        value_formatters={
            "changed_hands": _format_changed_hands,
            "contract": _format_contract,
            "extras": _format_extras,
        },
        format_numbers=format_score,
    )


def _format_changed_hands(count: int) -> str:
    return ngettext("%(count)s hand changed", "%(count)s hands changed", count) % {
        "count": count
    }


def _format_contract(value: Mapping[str, Any]) -> str:
    """Format a hand as bid, by the codes that files have: "misere by seats 1, 3"."""
    if not value.get("contract"):
        return _("fine")
    seats = ", ".join(map(str, value["by"]))
    return _("%(contract)s by seats %(seats)s") % {
        "contract": value["contract"],
        "seats": seats,
    }


def _format_extras(value: Sequence[int]) -> str:
    return _("extras %(figures)s") % {"figures": format_score(value)}
