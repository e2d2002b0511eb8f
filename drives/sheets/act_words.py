"""The titles of the entries in a drive's history, by action code."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clubs.activities.history import HistoryFormatter
from clubs.activities.secrecy import format_full_name
from clubs.models import Act
from drives.contract_words import load_drive_points_table
from drives.models import Drive, Seat
from drives.play_forms import PLAY_FORMS
from drives.scores.score_format import format_score
from drives.sheets.point_changes import format_changed_points, format_legacy_changes
from drives.table_authors import describe_table_author, has_table_sides
from drives.table_marks import get_table_marks_hooks
from drives.trumps import format_trumps_rule

TITLES_BY_ACTION: Mapping[str, str | Promise] = {
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
    "drive.links_revoked": gettext_lazy("Score card QR codes cancelled"),
    "drive.named": gettext_lazy("Name on a card changed"),
    "drive.players": gettext_lazy("Players added"),
    "drive.points": gettext_lazy("Contract points changed"),
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

FIRST_ROUND_TITLES_BY_ACTION: Mapping[str, str | Promise] = {
    "drive.round": gettext_lazy("Draw and start"),
}
"""The titles that differ in round 1: its start also draws the seats."""

SIDELESS_TITLES_BY_ACTION: Mapping[str, str | Promise] = {
    "drive.sheet_agreed": gettext_lazy("Score confirmed at the table"),
}
"""The titles that differ if each player of a table scores separately."""

SeatPlace = tuple[int | None, int | None, int | None]
"""A round, a table and a seat."""

_VISIBILITY_TITLES = dict(Drive.StandingsVisibility.choices)


def build_history_formatter(drive: Drive) -> HistoryFormatter:
    """Return the formatter for the history of a drive and of the rubbers marked at its tables.

    This needs one query, and a second one in a game with contracts for the players' names.
    """
    points_table = load_drive_points_table(drive)
    contracts_by_code = points_table.contracts_by_code if points_table else {}
    contract_names_by_code = {
        code: str(contract.label.local) for code, contract in contracts_by_code.items()
    }
    names_by_seat = _load_names_by_seat(drive) if points_table else {}
    has_sides = has_table_sides(drive)
    return HistoryFormatter(
        titles_by_action=_build_titles_by_action(has_sides=has_sides),
        first_round_titles_by_action=FIRST_ROUND_TITLES_BY_ACTION,
        formatters_by_value_name={
            "changed_hands": _format_changed_hands,
            "changed_points": lambda changed: format_changed_points(
                changed, contract_names_by_code
            ),
            "points": lambda places: format_legacy_changes(places, contract_names_by_code),
            "extras": _format_extras,
            "form": lambda code: PLAY_FORMS[code].title if code in PLAY_FORMS else str(code),
            "standings_shown": lambda code: str(_VISIBILITY_TITLES.get(code, code)),
            "trumps": format_trumps_rule,
        },
        location_formatters_by_name={
            "contract": lambda bid, act_location: _format_contract(
                bid, act_location, contract_names_by_code, names_by_seat
            ),
        },
        describe_author=partial(describe_table_author, has_sides=has_sides),
        format_numbers=format_score,
    )


def format_act_name(drive: Drive, act: Act) -> str:
    """Return the title and place of an act: "Table score, round 1, table 2, hand 3"."""
    titles_by_action = _build_titles_by_action(has_sides=has_table_sides(drive))
    formatter = HistoryFormatter(
        titles_by_action=titles_by_action,
        first_round_titles_by_action=FIRST_ROUND_TITLES_BY_ACTION,
        format_numbers=format_score,
    )
    return formatter.format_title_with_location(act)


def _build_titles_by_action(*, has_sides: bool) -> dict[str, str | Promise]:
    return {
        **TITLES_BY_ACTION,
        **get_table_marks_hooks().titles,
        **({} if has_sides else SIDELESS_TITLES_BY_ACTION),
    }


def _format_changed_hands(hand_count: int) -> str:
    return ngettext("%(count)s hand changed", "%(count)s hands changed", hand_count) % {
        "count": hand_count
    }


def _load_names_by_seat(drive: Drive) -> dict[SeatPlace, str]:
    """Load the names of the players by round, table and seat."""
    seats = Seat.objects.filter(round__drive=drive, table__isnull=False)
    return {
        (seat.round.number, seat.table, seat.seat): format_full_name(seat.player)
        for seat in seats.select_related("round", "player__player")
    }


def _format_contract(
    stored_hand: Mapping[str, Any],
    act_location: Mapping[str, Any],
    contract_names_by_code: Mapping[str, str],
    names_by_seat: Mapping[SeatPlace, str],
) -> str:
    """Return a contract and its players as text, e.g. "Misère by Ann, Bea".

    If the drive's game no longer has the contract, the text contains its stored code. If a
    player's name is not found, the text contains the numbers of the seats.
    """
    if not stored_hand.get("contract"):
        return _("fine")
    seats = stored_hand["by"]
    message_values = {
        "contract": contract_names_by_code.get(
            stored_hand["contract"], stored_hand["contract"]
        ),
        "seats": ", ".join(map(str, seats)),
    }
    player_names = [
        names_by_seat.get((act_location.get("round"), act_location.get("table"), seat))
        for seat in seats
    ]
    if all(player_names):
        return _("%(contract)s by %(names)s") % (
            message_values | {"names": ", ".join(filter(None, player_names))}
        )
    message = ngettext(
        "%(contract)s by seat %(seats)s", "%(contract)s by seats %(seats)s", len(seats)
    )
    return message % message_values


def _format_extras(extra_points: Sequence[int]) -> str:
    return _("extras %(figures)s") % {"figures": format_score(extra_points)}
