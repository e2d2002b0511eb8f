"""The interface between the check-in pages and the kinds of evenings that use check-in."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from django.http import HttpRequest, QueryDict
from django.utils.functional import Promise

from clubs.audit import Actor, AuditSubject
from clubs.evenings.first_seats import TablePosition
from clubs.models import CheckIn, Club, Evening


class ActivityAccessProtocol(Protocol):
    """The part of an `ActivityAccess` that the check-in pages need."""

    @property
    def address(self) -> str:
        """The URL argument of the activity."""
        ...

    @property
    def context(self) -> dict[str, Any]:
        """The template variables of the activity's pages."""
        ...


@dataclass(frozen=True, slots=True)
class FirstRoundSeat:
    """The seat of a pair or player in round 1, with the texts that phones show about it."""

    entry_label: str  # "Pair 7", or with two winners "Pair 7 E-W"
    place_text: str  # "Table 3, North-South"
    note: str  # "Boards 1–3"
    place: TablePosition | None  # None for a sit-out


@dataclass(frozen=True, slots=True)
class SummaryNumber:
    """A number on the director's page, with its label."""

    label: str
    count: int


@dataclass(frozen=True, slots=True)
class CheckInAccess:
    """The activity, evening and audit subject of a director's check-in page."""

    access: ActivityAccessProtocol
    evening: Evening
    subject: AuditSubject

    @property
    def club(self) -> Club:
        """The club of the evening."""
        return self.evening.club


@dataclass(frozen=True, kw_only=True)
class CheckInKind:
    """The functions with which the check-in pages handle one kind of evening.

    * `load_access` loads the check-in of a request for a director.
    * `get_subject` returns the audit subject of an evening with check-in.
    * `has_partners` returns whether a person can check in together with a partner.
    * `are_partners_opposite` returns whether the two partners sit opposite each other.
    * `list_summary_numbers` returns the numbers of people, pairs and tables.
    * `build_start_context` returns the template variables of the page before the start.
    * `start_play` starts play with the submitted choices, and returns the URL of the next page.
    * `undo_start` undoes the start of play, which opens the check-in again.
    * `map_first_round_seats` returns the seat of each pair or player in round 1, by number.
    """

    relation_name: str
    """The name of the evening's relation to the activity: "drive"."""
    url_prefix: str
    """The prefix of the URL names: "drive_" for `drive_check_in`."""
    desk_url_name: str
    """The URL name of the activity's desk."""
    seat_labels_by_number: Mapping[int, str | Promise]
    positions_by_seat: Mapping[int, str]
    """The position of each seat in the drawing of a table: n, e, s or w."""
    load_access: Callable[[HttpRequest, str], CheckInAccess]
    get_subject: Callable[[Evening], AuditSubject]
    has_partners: Callable[[Evening], bool]
    are_partners_opposite: Callable[[Evening], bool]
    list_summary_numbers: Callable[[Evening, list[CheckIn]], list[SummaryNumber]]
    build_start_context: Callable[[CheckInAccess], Mapping[str, Any]]
    start_play: Callable[[CheckInAccess, QueryDict, Actor], str]
    undo_start: Callable[[CheckInAccess, Actor], None]
    map_first_round_seats: Callable[[Evening], Mapping[int, FirstRoundSeat]]
    start_label: str | Promise

    def format_seat(self, seat_number: int) -> str:
        """Return the label of a seat: "North", or "Seat 1"."""
        return str(self.seat_labels_by_number[seat_number])
