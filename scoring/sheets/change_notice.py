"""The announcement that a director makes after a seating change."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.models import SeatingChange, Section
from tournaments.movements.formatting import format_place_for_players, format_table
from tournaments.seating_snapshot import (
    TableDifference,
    TableSeats,
    compare_seats,
    compare_tables,
    map_rows_by_table,
)
from tournaments.sheets.schedule import format_boards

MAX_SEATS_WITH_NAMES = 6  # with more changed seats, tables are named instead of people
SidePlaces = tuple[int, ...]
"""The places of a pair, or of a single player."""


@dataclass(frozen=True, slots=True)
class ChangedSeat:
    """The seat of a pair or a single player in a round, with the opponents."""

    table_number: int
    side: str  # "N-S", "E-W"
    place_pks: SidePlaces
    opponent_place_pks: SidePlaces
    board_group: int


@dataclass(frozen=True, slots=True)
class ChangeAnnouncement:
    """The announcement before the first round that a change affects, as lines of text."""

    round_number: int
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Seating:
    """The seating before or after a change, with the seats of the changed tables."""

    entry_pks_by_place: Mapping[int, int | None]  # the key of the entry, by place
    labels_by_place: Mapping[int, str]  # by place
    seats_by_place_pk: Mapping[int, ChangedSeat]  # by place

    def are_places_filled(self, place_pks: SidePlaces) -> bool:
        return all(self.entry_pks_by_place.get(place_pk) is not None for place_pk in place_pks)

    def is_played(self, seat: ChangedSeat) -> bool:
        return self.are_places_filled(seat.place_pks) and self.are_places_filled(
            seat.opponent_place_pks
        )


def build_change_announcement(
    change: SeatingChange, section: Section, last_scored_round: int
) -> ChangeAnnouncement | None:
    """Return the announcement before the next round that a change affects, or None.

    Rounds up to `last_scored_round` need no announcement, nor do rounds before a late pair
    starts or before a pair withdraws.
    """
    if change.what["kind"] in ("late", "left"):
        last_scored_round = max(last_scored_round, change.what.get("round", 1) - 1)
    upcoming_differences = [
        table_difference
        for table_difference in _list_changed_tables(change)
        if table_difference.round_number > last_scored_round
    ]
    if not upcoming_differences:
        return None
    first_affected_differences = [
        table_difference
        for table_difference in upcoming_differences
        if table_difference.round_number == upcoming_differences[0].round_number
    ]
    section_letter = section.shown
    former_seating = _build_seating(
        change.before,
        (
            (table_difference.table_number, table_difference.old_seats)
            for table_difference in first_affected_differences
        ),
        section_letter,
    )
    new_seating = _build_seating(
        change.after,
        (
            (table_difference.table_number, table_difference.new_seats)
            for table_difference in first_affected_differences
        ),
        section_letter,
    )
    sentences = [
        *_iter_announcement_sentences(
            section, first_affected_differences, former_seating, new_seating
        ),
        *_iter_shared_board_sentences(section, change, first_affected_differences),
    ]
    return ChangeAnnouncement(upcoming_differences[0].round_number, tuple(sentences))


def _iter_shared_board_sentences(
    section: Section, change: SeatingChange, table_differences: Sequence[TableDifference]
) -> Iterator[str]:
    """Yield a sentence about each group of tables that did not share boards before."""
    if section.options.get("copies", 1) > 1:
        return
    round_number = table_differences[0].round_number
    former_table_groups, new_table_groups = (
        _find_sharing_tables(seating, round_number) for seating in (change.before, change.after)
    )
    for sharing_table_numbers in sorted(new_table_groups - former_table_groups):
        table_labels = [
            format_table(table_number, section.shown) for table_number in sharing_table_numbers
        ]
        sentence = _("Tables %(tables)s now share boards: play one and pass it on.")
        yield sentence % {"tables": get_text_list(table_labels, _("and"))}


def _find_sharing_tables(
    seating_data: Mapping[str, Any], round_number: int
) -> set[tuple[int, ...]]:
    """Return the groups of two or more tables that play the same boards in a round."""
    occupied_place_pks = {
        place_row[0] for place_row in seating_data["places"] if place_row[3] is not None
    }
    table_numbers_by_group: dict[int, list[int]] = {}
    for sitting_round, table_number, *place_pks, board_group in seating_data["sittings"]:
        if sitting_round == round_number and occupied_place_pks.issuperset(place_pks):
            table_numbers_by_group.setdefault(board_group, []).append(table_number)
    return {
        tuple(sorted(table_numbers))
        for table_numbers in table_numbers_by_group.values()
        if len(table_numbers) > 1
    }


def _list_changed_tables(change: SeatingChange) -> list[TableDifference]:
    """Return the tables of each round that differ, or that an added entry makes playable.

    An entry that gets an empty place does not change the schedule, but must know where to sit.
    """
    differences_by_table = {
        (table_difference.round_number, table_difference.table_number): table_difference
        for table_difference in compare_tables(change.before, change.after)
    }
    rows_by_table = map_rows_by_table(change.after)
    for seat_difference in compare_seats(change.before, change.after):
        table_key = (seat_difference.round_number, seat_difference.table_number)
        if (
            seat_difference.old_play is None
            and seat_difference.new_play is not None
            and table_key not in differences_by_table
        ):
            differences_by_table[table_key] = TableDifference(
                *table_key, rows_by_table[table_key], rows_by_table[table_key]
            )
    return [differences_by_table[table_key] for table_key in sorted(differences_by_table)]


def _build_seating(
    seating_data: Mapping[str, list[list[int]]],
    numbered_table_seats: Iterator[tuple[int, TableSeats | None]],
    section_letter: str,
) -> _Seating:
    seats_by_place_pk = {}
    for table_number, table_seats in numbered_table_seats:
        if table_seats is None:
            continue
        ns_place_pks, ew_place_pks = (
            tuple(dict.fromkeys(place_pks_of_seats))
            for place_pks_of_seats in (
                (table_seats[0], table_seats[2]),
                (table_seats[1], table_seats[3]),
            )
        )
        for side, side_place_pks, opponent_place_pks in (
            ("N-S", ns_place_pks, ew_place_pks),
            ("E-W", ew_place_pks, ns_place_pks),
        ):
            for place_pk in side_place_pks:
                seats_by_place_pk[place_pk] = ChangedSeat(
                    table_number, side, side_place_pks, opponent_place_pks, table_seats[4]
                )
    place_rows = seating_data["places"]
    return _Seating(
        entry_pks_by_place={place_row[0]: place_row[3] for place_row in place_rows},
        labels_by_place={
            place_row[0]: format_place_for_players(f"{section_letter}{place_row[1]}")
            for place_row in place_rows
        },
        seats_by_place_pk=seats_by_place_pk,
    )


def _iter_announcement_sentences(
    section: Section,
    table_differences: list[TableDifference],
    former_seating: _Seating,
    new_seating: _Seating,
) -> Iterator[str]:
    sentences = _SectionSentences(section, new_seating)
    new_seats = [
        seat
        for seat in _list_changed_seats(new_seating)
        if _is_new_seat(seat, former_seating, new_seating)
    ]
    if len(new_seats) > MAX_SEATS_WITH_NAMES:
        yield from sentences.iter_change_sentences(table_differences)
    else:
        for seat in new_seats:
            yield sentences.format_move(seat)
        named_table_numbers = {seat.table_number for seat in new_seats}
        for seat in _list_changed_seats(new_seating):
            is_table_named = seat.table_number in named_table_numbers or seat.side != "N-S"
            if (
                not is_table_named
                and new_seating.is_played(seat)
                and _has_same_table(seat, former_seating)
            ):
                yield sentences.format_table(seat)
    for seat in _list_changed_seats(former_seating):
        if former_seating.is_played(seat) and not _is_still_playing(
            seat, former_seating, new_seating
        ):
            yield sentences.format_sit_out(seat, former_seating)


def _list_changed_seats(seating: _Seating) -> list[ChangedSeat]:
    """Return the seats at the changed tables, each once, by table."""
    return sorted(
        set(seating.seats_by_place_pk.values()),
        key=lambda changed_seat: (changed_seat.table_number, changed_seat.side == "E-W"),
    )


def _is_new_seat(seat: ChangedSeat, former_seating: _Seating, new_seating: _Seating) -> bool:
    """Return whether the change gives the players of a seat another table or side."""
    if not new_seating.is_played(seat):
        return False
    former_seats = [
        former_seating.seats_by_place_pk.get(place_pk) for place_pk in seat.place_pks
    ]
    return any(
        old_seat is None
        or (old_seat.table_number, old_seat.side) != (seat.table_number, seat.side)
        or former_seating.entry_pks_by_place.get(place_pk)
        != new_seating.entry_pks_by_place.get(place_pk)
        for place_pk, old_seat in zip(seat.place_pks, former_seats, strict=True)
    )


def _has_same_table(seat: ChangedSeat, former_seating: _Seating) -> bool:
    """Return whether both sides were planned at this table, so that only the boards change."""
    return all(
        (old_seat := former_seating.seats_by_place_pk.get(place_pk)) is not None
        and old_seat.table_number == seat.table_number
        for place_pk in (*seat.place_pks, *seat.opponent_place_pks)
    )


def _is_still_playing(
    seat: ChangedSeat, former_seating: _Seating, new_seating: _Seating
) -> bool:
    """Return whether an entry that had this seat now plays at one of the changed tables."""
    playing_entry_pks = {
        new_seating.entry_pks_by_place.get(place_pk)
        for place_pk, new_seat in new_seating.seats_by_place_pk.items()
        if new_seating.is_played(new_seat)
    }
    return any(
        former_seating.entry_pks_by_place.get(place_pk) in playing_entry_pks
        for place_pk in seat.place_pks
    )


class _SectionSentences:
    """Formats the sentences of an announcement in one section, with names of players."""

    def __init__(self, section: Section, new_seating: _Seating) -> None:
        self._session = section.session
        self._entry_names_by_pk = dict(self._session.event.entries.values_list("pk", "name"))
        self._new_seating = new_seating
        self._section_letter = section.shown

    def _format_players(self, place_pks: SidePlaces, seating: _Seating) -> str:
        entry_names = dict.fromkeys(
            self._entry_names_by_pk.get(entry_id, "")
            for place_pk in place_pks
            if (entry_id := seating.entry_pks_by_place.get(place_pk))
        )
        place_labels = " & ".join(seating.labels_by_place[place_pk] for place_pk in place_pks)
        return _("%(names)s (%(place)s)") % {
            "names": " & ".join(entry_names),
            "place": place_labels,
        }

    def _build_placeholders(self, seat: ChangedSeat) -> dict[str, str | int]:
        side_names = {"N-S": _("North-South"), "E-W": _("East-West")}
        return {
            "table": format_table(seat.table_number, self._section_letter),
            "side": side_names[seat.side],
            "who": self._format_players(seat.place_pks, self._new_seating),
            "other": self._format_players(seat.opponent_place_pks, self._new_seating),
            "boards": format_boards(seat.board_group, self._session.boards_a_round),
        }

    def format_move(self, seat: ChangedSeat) -> str:
        sentence = ngettext(
            "%(who)s: table %(table)s, %(side)s, against %(other)s, board %(boards)s.",
            "%(who)s: table %(table)s, %(side)s, against %(other)s, boards %(boards)s.",
            self._session.boards_a_round or 0,
        )
        return sentence % self._build_placeholders(seat)

    def format_table(self, seat: ChangedSeat) -> str:
        sentence = ngettext(
            "Table %(table)s: %(who)s against %(other)s, board %(boards)s.",
            "Table %(table)s: %(who)s against %(other)s, boards %(boards)s.",
            self._session.boards_a_round or 0,
        )
        return sentence % self._build_placeholders(seat)

    def iter_change_sentences(self, table_differences: list[TableDifference]) -> Iterator[str]:
        table_numbers = {
            table_difference.table_number for table_difference in table_differences
        }
        for seat in _list_changed_seats(self._new_seating):
            if (
                seat.table_number in table_numbers
                and seat.side == "N-S"
                and self._new_seating.is_played(seat)
            ):
                yield self.format_table(seat)

    def format_sit_out(self, seat: ChangedSeat, former_seating: _Seating) -> str:
        return _("%(who)s: sit out this round.") % {
            "who": self._format_players(seat.place_pks, former_seating)
        }
