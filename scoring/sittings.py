"""A session as it was really seated, read once: every sheet of it is made from this."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import NamedTuple

from django.db.models import Count

from scoring.models import Outcome, Result, Ruling
from scoring.sitting_rows import (
    places_among,
    places_of,
    results_at,
    results_of,
    results_with,
    ruled_plays_of,
    sections_of,
    sittings_at,
    sittings_of,
    sittings_with,
)
from tournaments.entry_words import who_sits
from tournaments.models import Event, Place, Section, Session, Sitting
from tournaments.models.seating import SEATS
from tournaments.movements.copies import Stack, stacks_of
from tournaments.movements.drawn import DRAWN, is_knockout, undrawn_words
from tournaments.movements.strays import LEFT_OUT, Boards
from tournaments.movements.systems.league import LEAGUE_FOURS, line_up_at, sets_of
from tournaments.movements.words import spoken, table_label


class RoundSoFar(NamedTuple):
    """One round at one table: whether all of it is in, and how many scores were made there."""

    session: int
    sitting: int
    boards: Boards
    is_whole: bool
    made: int


@dataclass(frozen=True, slots=True)
class SeatedSide:
    """One side of a table: who sits there, as numbers and as words."""

    entries: tuple[int, ...]  # entry numbers; empty in a sit-out
    places: tuple[int, ...]
    short: str  # "3", in one of several sections "A3": for a column that says the side
    label: str  # "3 N-S", or "5" where one field plays
    name: str
    line_up: str = ""  # the letters of the two where those of a team change partners


@dataclass(frozen=True, slots=True)
class SeatedTable:
    """One sitting: its two sides, and the boards that were played between them."""

    sitting: int
    section: str
    round: int
    table: int
    label: str  # the table's: "13", in one of several sections "A13"
    group: int
    boards: Boards  # they go from table to table together, but for those that strayed
    ns: SeatedSide
    ew: SeatedSide

    @property
    def is_played(self) -> bool:
        """Whether somebody sits on both sides."""
        return bool(self.ns.entries and self.ew.entries)


class OtherDeal(NamedTuple):
    """A ruling by which other cards lie in the tray, from some play of a board on."""

    sitting: int
    deal: int
    is_new: bool  # dealt anew after that play, which is void; else fouled from it on


@dataclass
class SeatedSession:
    """All tables of a session, by section, round and table, with the results so far."""

    session: Session
    sections: list[Section]
    tables: list[SeatedTable]
    places: list[Place]
    results: dict[tuple[int, int], Result]  # by sitting and board; cleared ones are left out
    settled: set[tuple[int, int]] = field(default_factory=set)  # by a ruling: need no result
    renewed: set[tuple[int, int]] = field(default_factory=set)  # a new deal awaits its result
    dealt_anew: set[tuple[int, int]] = field(default_factory=set)  # where a new deal was ruled
    other_deals: dict[int, list[OtherDeal]] = field(default_factory=dict)  # by board
    usual_goals: dict[tuple[str, int], dict[str, tuple[int, str]]] = field(
        default_factory=dict, repr=False, compare=False
    )  # where the people of a table go after most rounds, kept by who works it out

    @cached_property
    def boards(self) -> list[int]:
        """The numbers of the boards in play, lowest first."""
        return sorted({board for table in self.tables for board in table.boards})

    @cached_property
    def by_board(self) -> dict[int, list[SeatedTable]]:
        """The tables that play each board, in the order in which they meet it."""
        found: dict[int, list[SeatedTable]] = {board: [] for board in self.boards}
        for table in self.tables:
            if table.is_played:
                for board in table.boards:
                    found[board].append(table)
        return found

    @cached_property
    def by_table(self) -> dict[tuple[str, int], list[SeatedTable]]:
        """The rounds of each table, by section and table number."""
        found: dict[tuple[str, int], list[SeatedTable]] = {}
        for table in self.tables:
            found.setdefault((table.section, table.table), []).append(table)
        return dict(sorted(found.items()))

    @cached_property
    def seat_of(self) -> dict[tuple[int, int], tuple[SeatedTable, str]]:
        """Where each place sits in each round: table and side ("N-S"), by place and round."""
        return {
            (place, table.round): (table, side)
            for table in self.tables
            for side, chair in (("N-S", table.ns), ("E-W", table.ew))
            for place in chair.places
        }

    @cached_property
    def tables_of(self) -> dict[int, list[SeatedTable]]:
        """The tables at which each place sits, by round."""
        found: dict[int, list[SeatedTable]] = {}
        for table in self.tables:
            for place in {*table.ns.places, *table.ew.places}:
                found.setdefault(place, []).append(table)
        return found

    @cached_property
    def taken(self) -> set[int]:
        """The places that somebody has."""
        return {place.pk for place in self.places if place.entry_id is not None}

    @cached_property
    def last_round(self) -> dict[str, int]:
        """The last round that is seated, by section."""
        last: dict[str, int] = {}
        for table in self.tables:
            last[table.section] = max(last.get(table.section, 0), table.round)
        return last

    @property
    def rounds_planned(self) -> int:
        """How many rounds the longest section plays, with those that are still to be drawn."""
        drawn = (it.rounds_planned for it in self.sections if it.movement == DRAWN)
        return max([0, *self.last_round.values(), *drawn])

    @cached_property
    def with_stack(self) -> dict[tuple[str, int, Stack], list[int]]:
        """The tables that play from a copy of a board group, by section, round and stack."""
        found: dict[tuple[str, int, Stack], list[int]] = {}
        for table in self.tables:
            if table.is_played:
                key = (table.section, table.round, self.stack_of(table))
                found.setdefault(key, []).append(table.table)
        return found

    def undrawn(self, letter: str) -> str:
        """Say which rounds of a section are still to be drawn; "" where none is."""
        drawn = (it for it in self.sections if it.letter == letter and it.movement == DRAWN)
        return next((undrawn_words(each.options, each.rounds) for each in drawn), "")

    def last_planned(self, letter: str) -> int:
        """The last round of a section, whether it is drawn already or not."""
        found = (each for each in self.sections if each.letter == letter)
        lasts = (it.rounds_planned if it.movement == DRAWN else it.rounds for it in found)
        return next(lasts, 0)

    def is_drawn(self, letter: str) -> bool:
        """Whether the rounds of a section are drawn one after another."""
        return any(it.letter == letter and it.movement == DRAWN for it in self.sections)

    def is_knockout(self, letter: str) -> bool:
        """Whether a bracket says who plays on in a section."""
        return any(it.letter == letter and is_knockout(it.options) for it in self.sections)

    def stack_of(self, table: SeatedTable) -> Stack:
        """The board group of a table in a round, and which copy of it lies there."""
        return self._stacks.get((table.section, table.round, table.table), (table.group, 1))

    def stack_later(self, letter: str, round_: int, stack: Stack) -> tuple[int, int] | None:
        """The next round in which a stack is played, and at which table."""
        for number in range(round_ + 1, self.last_round[letter] + 1):
            tables = self.with_stack.get((letter, number, stack))
            if tables:
                return number, tables[0]
        return None

    def copies_in(self, letter: str) -> int:
        """How many copies of its boards a section has."""
        options = next(each.options for each in self.sections if each.letter == letter)
        return int(options.get("copies", 1))

    @cached_property
    def _stacks(self) -> dict[tuple[str, int, int], Stack]:
        """The stacks of those sections whose boards are there in copies."""
        found: dict[tuple[str, int, int], Stack] = {}
        for section in self.sections:
            if "copies" in section.options:
                here = [t for t in self.tables if t.section == section.letter and t.is_played]
                stacks = stacks_of(
                    [(each.round, each.table, each.group) for each in here],
                    section.options["copies"],
                    section.options.get("blocks", ()),
                )
                found |= {(section.letter, *at): stack for at, stack in stacks.items()}
        return found

    @cached_property
    def expected(self) -> int:
        """How many results the session should have."""
        return sum(len(table.boards) for table in self.tables if table.is_played)

    @property
    def missing(self) -> int:
        """How many results are still to come; where a new deal was ordered, its own."""
        return self.expected - len((self.results.keys() - self.renewed) | self.settled)

    @property
    def has_partners(self) -> bool:
        """Whether single players play, who have another partner in each round."""
        return self.session.event.contest == Event.Contest.INDIVIDUAL

    @property
    def is_lettered(self) -> bool:
        """Whether several sections play, so that seats and tables need their letters."""
        return len(self.sections) > 1

    def label(self, place: Place) -> str:
        """Write a place as players know it: "3 N-S", "5", in one of several sections "A5"."""
        return _label(place, self.is_lettered)

    def partner_of(self, entry: int, table: SeatedTable) -> str:
        """Name the partner of a single player at a table: "4 Ada Pole"; a pair has none."""
        chair = table.ns if entry in table.ns.entries else table.ew
        partners = (
            f"{self.label(place)} {place.entry.name}"
            for place in self.places
            if place.pk in chair.places and place.entry and place.entry.number != entry
        )
        return next(partners, "") if self.has_partners else ""

    def called(self, section: str, table: int) -> str:
        """Write a table as players know it: "13", in one of several sections "A13"."""
        return table_label(table, section if self.is_lettered else "")

    def result(self, table: SeatedTable, board: int) -> Result | None:
        """What was entered for a board at a table, or None while it is to come."""
        return self.results.get((table.sitting, board))

    def is_through(self, board: int) -> bool:
        """Whether nobody may still play a board: every table has its result or a ruling."""
        return all(self.is_in(table, board) for table in self.by_board.get(board, []))

    def is_replayed(self, board: int) -> bool:
        """Whether whoever plays a board later played it before, as in memory duplicate."""
        people = [
            frozenset(table.ns.places + table.ew.places)
            for table in self.by_board.get(board, [])
        ]
        return len(set(people)) < len(people)

    def are_through(self, board: int) -> bool:
        """Whether nobody may still play any of the boards that go round with a board."""
        return board not in self._played_on

    @cached_property
    def _played_on(self) -> set[int]:
        """The boards that some table may still play, with those that go round with them."""
        return {
            board
            for table in self.tables
            if table.is_played and not all(self.is_in(table, each) for each in table.boards)
            for board in table.boards
        }

    def is_in(self, table: SeatedTable, board: int) -> bool:
        """Whether a table is done with a board: its result is in, or needed no longer."""
        return (table.sitting, board) in self.settled or self.to_enter(table, board) is not None

    def to_enter(self, table: SeatedTable, board: int) -> Result | None:
        """The result that an entry would change; none where a new deal awaits its first."""
        is_renewed = (table.sitting, board) in self.renewed
        return None if is_renewed else self.result(table, board)


def read_sittings(
    session: Session, *, only: tuple[str, int] | None = None, group: int | None = None
) -> SeatedSession:
    """Read a session's seating, results and rulings in five queries.

    With `only`, a section's letter and a table's number, that table alone; with `group` the
    tables that play those boards. So narrowed it holds the places that sit there.
    """
    key = session.pk
    if only:
        rows, made = sittings_at(key, *only), results_at(key, *only)
    elif group is not None:
        rows, made = sittings_with(key, group), results_with(key, group)
    else:
        rows, made = sittings_of(key), results_of(key)
    is_narrowed = only is not None or group is not None
    places = places_among(key, _seated(rows)) if is_narrowed else places_of(key)
    sections = sections_of(key)
    for section in sections:
        section.session = session
    found = {(each.sitting_id, each.board): each for each in made}
    ruled = _ruled(session, {play: result.deal for play, result in found.items()})
    by_id = {place.pk: place for place in places}
    letters = {section.pk: section.letter for section in sections}
    line_ups_here = _line_ups(session, sections, rows, by_id)

    @cache  # a pair sits at many tables, with the same words at each
    def side(one: int, other: int, line_up: str | None) -> SeatedSide:
        chairs = [by_id[pk] for pk in dict.fromkeys((one, other))]
        return _side(chairs, len(letters) > 1, line_up)

    return SeatedSession(
        session=session,
        sections=sections,
        places=places,
        tables=[_table(session, row, letters, side, line_ups_here) for row in rows],
        results=found,
        settled=ruled.settled,
        renewed=ruled.renewed,
        dealt_anew=ruled.dealt_anew,
        other_deals=ruled.other_deals,
    )


def missing_results(session: Session) -> int:
    """Count the results of a session still to come, as `SeatedSession.missing` does."""
    played = Sitting.objects.filter(
        section__session=session, **{f"{seat}__entry__isnull": False for seat in SEATS}
    )
    results = Result.objects.filter(sitting__section__session=session)
    entered = results.exclude(outcome=Outcome.CLEARED).order_by("deal")
    latest = {
        (sitting, board): deal
        for sitting, board, deal in entered.values_list("sitting", "board", "deal")
    }
    ruled = _ruled(session, latest)
    expected = sum(
        count * (session.boards_a_round - sum(took == LEFT_OUT for _own, took in strays))
        for strays, count in played.order_by().values_list("strays").annotate(Count("pk"))
    )
    return int(expected) - len((latest.keys() - ruled.renewed) | ruled.settled)


def _seated(rows: Iterable[Sitting]) -> tuple[int, ...]:
    """The keys of the places that sit in some sittings."""
    seats = ((row.north_id, row.south_id, row.east_id, row.west_id) for row in rows)
    return tuple(sorted({place for four in seats for place in four}))


class _Ruled(NamedTuple):
    """Which plays need no result, which have only a void one, and where other cards came in."""

    settled: set[tuple[int, int]]
    renewed: set[tuple[int, int]]
    dealt_anew: set[tuple[int, int]]
    other_deals: dict[int, list[OtherDeal]]


def _ruled(session: Session, latest: Mapping[tuple[int, int], int]) -> _Ruled:
    """Read what was ruled; `latest` is the last deal of each play that has a result."""
    found = _Ruled(set(), set(), set(), {})
    for sitting, board, deal, kind in ruled_plays_of(session.pk):
        is_new = kind == Ruling.Kind.NEW_DEAL
        if kind in (Ruling.Kind.AVERAGE, Ruling.Kind.ADJUSTED):
            found.settled.add((sitting, board))
        if is_new or kind == Ruling.Kind.FOULED:
            found.other_deals.setdefault(board, []).append(OtherDeal(sitting, deal, is_new))
        if is_new:
            found.dealt_anew.add((sitting, board))
            if latest.get((sitting, board)) == deal:
                found.renewed.add((sitting, board))
    return found


def _label(place: Place, lettered: bool) -> str:
    return spoken(f"{place.section.letter}{place.label}" if lettered else place.label)


def _short(place: Place, lettered: bool) -> str:
    digits = place.label.removesuffix("NS").removesuffix("EW")
    return f"{place.section.letter}{digits}" if lettered else digits


Pairs = tuple[str | None, str | None]
"""Who of a team sits N-S and who E-W: letters, "" as its place says; None for no team."""


def _line_ups(
    session: Session,
    sections: Iterable[Section],
    rows: Iterable[Sitting],
    places: Mapping[int, Place],
) -> dict[tuple[int, int, int], Pairs]:
    """Who of its team sits where, by section, round and table, where teams play.

    In a match of two teams the four change partners with each set: two have each place, and
    keep it when the tables are changed.
    """
    if session.event.contest != Event.Contest.TEAMS:
        return {}
    fours = {it.pk: sets_of(it.rounds) for it in sections if it.movement == LEAGUE_FOURS.name}
    found: dict[tuple[int, int, int], Pairs] = {}
    for row in rows:
        pairs: Pairs = ("", "")
        if sets := fours.get(row.section_id):
            labels = (places[row.north_id].label, places[row.east_id].label)
            at = row.round, row.board_group, sets
            pairs = (line_up_at(labels[0], *at), line_up_at(labels[1], *at))
        found[row.section_id, row.round, row.table] = pairs
    return found


def _table(
    session: Session,
    row: Sitting,
    letters: dict[int, str],
    side: Callable[[int, int, str | None], SeatedSide],
    seats_of: Mapping[tuple[int, int, int], Pairs],
) -> SeatedTable:
    lettered = len(letters) > 1
    ns, ew = seats_of.get((row.section_id, row.round, row.table), (None, None))
    return SeatedTable(
        sitting=row.pk,
        section=letters[row.section_id],
        round=row.round,
        table=row.table,
        label=table_label(row.table, letters[row.section_id] if lettered else ""),
        group=row.board_group,
        boards=session.boards_at(row.board_group, row.strays),
        ns=side(row.north_id, row.south_id, ns),
        ew=side(row.east_id, row.west_id, ew),
    )


def entries_of(*seats: int | None) -> tuple[int, ...]:
    """Say who sits on a side by the entries' numbers of its seats: a pair once, or partners."""
    return tuple(dict.fromkeys(number for number in seats if number is not None))


def _side(places: list[Place], lettered: bool, team: str | None) -> SeatedSide:
    taken = [place.entry for place in places if place.entry is not None]
    seated = len(taken) == len(places)
    return SeatedSide(
        entries=entries_of(*(entry.number for entry in taken)) if seated else (),
        places=tuple(place.pk for place in places),
        short=" & ".join(_short(place, lettered) for place in places),
        label=" & ".join(_label(place, lettered) for place in places),
        name=" & ".join(entry.name for entry in taken)
        if team is None
        else " & ".join(who_sits(entry.name, places[0].label, team) for entry in taken),
        line_up=team or "",
    )
