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
    Row,
    TableDifference,
    compare_seats,
    compare_tables,
    map_rows_by_table,
)
from tournaments.sheets.schedule import format_boards

MAX_SEATS_BY_NAME = 6  # with more changed seats, tables are named instead of people
Chair = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ChangedSeat:
    """The seat of one chair (a pair, or a single player) in a round, and its opponents."""

    table: int
    side: str  # "N-S", "E-W"
    chair: Chair
    opponents: Chair
    group: int


@dataclass(frozen=True, slots=True)
class ChangeAnnouncement:
    """The announcement before the next round, in lines."""

    round: int
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Seating:
    """The seating before or after a change: entries by place, and the seats that change."""

    entries: Mapping[int, int | None]
    labels: Mapping[int, str]
    seats: Mapping[int, ChangedSeat]  # by place

    def is_taken(self, chair: Chair) -> bool:
        return all(self.entries.get(place) is not None for place in chair)

    def is_played(self, seat: ChangedSeat) -> bool:
        return self.is_taken(seat.chair) and self.is_taken(seat.opponents)


def build_change_announcement(
    change: SeatingChange, section: Section, latest: int
) -> ChangeAnnouncement | None:
    """Return the announcement before the next round that a change affects, or None.

    `latest` is the last round with scores. Earlier rounds need no announcement, nor do rounds
    before a late pair starts or before a pair withdraws.
    """
    if change.what["kind"] in ("late", "left"):
        latest = max(latest, change.what.get("round", 1) - 1)
    coming_changes = [
        table_difference
        for table_difference in _list_changed_tables(change)
        if table_difference.round > latest
    ]
    if not coming_changes:
        return None
    first = [
        table_difference
        for table_difference in coming_changes
        if table_difference.round == coming_changes[0].round
    ]
    letter = section.shown
    before = _build_seating(
        change.before,
        ((table_difference.table, table_difference.before) for table_difference in first),
        letter,
    )
    after = _build_seating(
        change.after,
        ((table_difference.table, table_difference.after) for table_difference in first),
        letter,
    )
    lines = [
        *_iter_sentences(section, first, before, after),
        *_iter_newly_sharing_tables(section, change, first),
    ]
    return ChangeAnnouncement(coming_changes[0].round, tuple(lines))


def _iter_newly_sharing_tables(
    section: Section, change: SeatingChange, changed: Sequence[TableDifference]
) -> Iterator[str]:
    """Yield sentences about tables that share boards only since the change."""
    if section.options.get("copies", 1) > 1:
        return
    round_ = changed[0].round
    old, new = (
        _find_sharing_tables(seating, round_) for seating in (change.before, change.after)
    )
    for tables in sorted(new - old):
        names = [format_table(table, section.shown) for table in tables]
        sentence = _("Tables %(tables)s now share boards: play one and pass it on.")
        yield sentence % {"tables": get_text_list(names, _("and"))}


def _find_sharing_tables(snapshot: Mapping[str, Any], round_: int) -> set[tuple[int, ...]]:
    """Return the groups of two or more tables that play the same boards in a round."""
    taken_entries = {place[0] for place in snapshot["places"] if place[3] is not None}
    tables: dict[int, list[int]] = {}
    for number, table, *seats, group in snapshot["sittings"]:
        if number == round_ and taken_entries.issuperset(seats):
            tables.setdefault(group, []).append(table)
    return {tuple(sorted(each)) for each in tables.values() if len(each) > 1}


def _list_changed_tables(change: SeatingChange) -> list[TableDifference]:
    """Return the tables of each round that differ, or that are played since a place was taken.

    An entry that takes an empty place does not change the schedule, but has to be sent there.
    """
    changed_tables = {
        (table_difference.round, table_difference.table): table_difference
        for table_difference in compare_tables(change.before, change.after)
    }
    rows = map_rows_by_table(change.after)
    for seat_difference in compare_seats(change.before, change.after):
        table_key = (seat_difference.round, seat_difference.table)
        if (
            seat_difference.before is None
            and seat_difference.after is not None
            and table_key not in changed_tables
        ):
            changed_tables[table_key] = TableDifference(
                *table_key, rows[table_key], rows[table_key]
            )
    return [changed_tables[table_key] for table_key in sorted(changed_tables)]


def _build_seating(
    snapshot: Mapping[str, list[list[int]]],
    rows: Iterator[tuple[int, Row | None]],
    letter: str,
) -> _Seating:
    seats = {}
    for table, row in rows:
        if row is None:
            continue
        ns, ew = (tuple(dict.fromkeys(pair)) for pair in ((row[0], row[2]), (row[1], row[3])))
        for side, chair, opponents in (("N-S", ns, ew), ("E-W", ew, ns)):
            for place in chair:
                seats[place] = ChangedSeat(table, side, chair, opponents, row[4])
    places = snapshot["places"]
    return _Seating(
        entries={place[0]: place[3] for place in places},
        labels={place[0]: format_place_for_players(f"{letter}{place[1]}") for place in places},
        seats=seats,
    )


def _iter_sentences(
    section: Section, changed: list[TableDifference], before: _Seating, after: _Seating
) -> Iterator[str]:
    sentences = _SectionSentences(section, after)
    new_seats = [seat for seat in _list_changed_chairs(after) if _is_new(seat, before, after)]
    if len(new_seats) > MAX_SEATS_BY_NAME:
        yield from sentences.iter_tables(changed)
    else:
        for seat in new_seats:
            yield sentences.format_move(seat)
        named_tables = {seat.table for seat in new_seats}
        for seat in _list_changed_chairs(after):
            is_table_named = seat.table in named_tables or seat.side != "N-S"
            if not is_table_named and after.is_played(seat) and _has_stayed(seat, before):
                yield sentences.format_table(seat)
    for seat in _list_changed_chairs(before):
        if before.is_played(seat) and not _is_still_playing(seat, before, after):
            yield sentences.format_sit_out(seat, before)


def _list_changed_chairs(seating: _Seating) -> list[ChangedSeat]:
    """Return the chairs of the changed tables, each once, by table."""
    return sorted(
        set(seating.seats.values()),
        key=lambda changed_seat: (changed_seat.table, changed_seat.side == "E-W"),
    )


def _is_new(seat: ChangedSeat, before: _Seating, after: _Seating) -> bool:
    """Return whether the players of a chair were not planned on this side of this table."""
    if not after.is_played(seat):
        return False
    old = [before.seats.get(place) for place in seat.chair]
    return any(
        old_seat is None
        or (old_seat.table, old_seat.side) != (seat.table, seat.side)
        or before.entries.get(place) != after.entries.get(place)
        for place, old_seat in zip(seat.chair, old, strict=True)
    )


def _has_stayed(seat: ChangedSeat, before: _Seating) -> bool:
    """Return whether both sides were planned at this table, so that only the boards change."""
    return all(
        (old_seat := before.seats.get(place)) is not None and old_seat.table == seat.table
        for place in (*seat.chair, *seat.opponents)
    )


def _is_still_playing(seat: ChangedSeat, before: _Seating, after: _Seating) -> bool:
    """Return whether the players of a chair still play in the round at a changed table."""
    taken_entries = {
        after.entries.get(place_key)
        for place_key, new_seat in after.seats.items()
        if after.is_played(new_seat)
    }
    return any(before.entries.get(place) in taken_entries for place in seat.chair)


class _SectionSentences:
    """The sentences of one section, with names."""

    def __init__(self, section: Section, after: _Seating) -> None:
        self._session = section.session
        self._names = dict(self._session.event.entries.values_list("pk", "name"))
        self._after = after
        self._letter = section.shown

    def _format_chair(self, chair: Chair, seating: _Seating) -> str:
        names = dict.fromkeys(
            self._names.get(pk, "") for place in chair if (pk := seating.entries.get(place))
        )
        labels = " & ".join(seating.labels[place] for place in chair)
        return _("%(names)s (%(place)s)") % {"names": " & ".join(names), "place": labels}

    def _build_placeholders(self, seat: ChangedSeat) -> dict[str, str | int]:
        sides = {"N-S": _("North-South"), "E-W": _("East-West")}
        return {
            "table": format_table(seat.table, self._letter),
            "side": sides[seat.side],
            "who": self._format_chair(seat.chair, self._after),
            "other": self._format_chair(seat.opponents, self._after),
            "boards": format_boards(seat.group, self._session.boards_a_round),
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

    def iter_tables(self, changed: list[TableDifference]) -> Iterator[str]:
        numbers = {table_difference.table for table_difference in changed}
        for seat in _list_changed_chairs(self._after):
            if seat.table in numbers and seat.side == "N-S" and self._after.is_played(seat):
                yield self.format_table(seat)

    def format_sit_out(self, seat: ChangedSeat, before: _Seating) -> str:
        return _("%(who)s: sit out this round.") % {
            "who": self._format_chair(seat.chair, before)
        }
