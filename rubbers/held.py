"""A rubber night loaded with all its rows: players, tables, cuts and hands.

All pages, papers and files of a night are made from this value. Scores, games, rubbers and
standings are computed from the hands each time (`rubbers.rubber`).
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.utils.translation import gettext as _

from clubs.activities.models import ActivityPlayer
from drives.held import read_drive
from drives.models import Drive
from rubbers.files.rubber_file import read_hand
from rubbers.models import Belonging as BelongingRow
from rubbers.models import RubberHand, RubberNight, RubberTable, Spell
from rubbers.rubber.codes import Code, code_named
from rubbers.rubber.corrections import Span, span
from rubbers.rubber.dummy import DUMMY, MIN_PLAYERS, Kind, kind_for, players_of
from rubbers.rubber.night import Belonging, Night, Tally, belonging, combined, standing
from rubbers.rubber.night import Spell as Played
from rubbers.rubber.reckoning import Reckoning, reckon
from rubbers.rubber.seating import drive_score, is_over
from rubbers.rubber.terms import RubberTerms, changed

NOBODY = int(DUMMY)
"""The number of a dummy in the seats of a spell."""


@dataclass(frozen=True, kw_only=True)
class HeldTable:
    """One table: its rows, and its value for the scoring engine."""

    row: RubberTable
    night: Night
    spells: tuple[Spell, ...]
    """The rows; the hands are in the spells of `night`."""
    told: tuple[tuple[dict[str, Any], ...], ...]
    """The hands of each spell in the stored format."""

    @cached_property
    def reckonings(self) -> tuple[Reckoning, ...]:
        """The scored hands of each spell."""
        return tuple(reckon(self.night.terms, spell.hands) for spell in self.night.spells)

    @cached_property
    def standing(self) -> list[Tally]:
        """The standings of its members."""
        return standing(self.night)

    @property
    def there(self) -> tuple[int, ...]:
        """The numbers of its present members, who would play the next spell."""
        return tuple(map(int, belonging(self.night, len(self.spells) + 1)))

    @property
    def seated(self) -> tuple[int, ...]:
        """The four numbers of the present spell: side A's two, then side B's.

        It is empty before the first spell. A dummy is 0.
        """
        return tuple(self.spells[-1].seats) if self.spells else ()

    @property
    def kind(self) -> Kind:
        """The kind of game of the present four, else of the members who are there."""
        players = players_of(map(str, self.seated)) or self.there
        return kind_for(max(MIN_PLAYERS, len(players)))

    @property
    def waiting(self) -> tuple[int, ...]:
        """The members who do not play now."""
        return tuple(number for number in self.there if number not in self.seated)

    @property
    def has_left(self) -> bool:
        """Whether one of the present four has left the table."""
        return any(number not in self.there for number in self.seated if number != NOBODY)

    @property
    def is_over(self) -> bool:
        """Whether the next four have to be seated: before the first hand, or after a rubber."""
        if not self.spells:
            return True
        hands = self.reckonings[-1].hands
        return self.has_left or is_over(self.night, hands[-1] if hands else None)

    def span(self, spell: int, number: int) -> Span:
        """Return who may correct a hand; only the organiser once the next four have played."""
        if any(self.told[spell:]):
            return Span.ORGANISER
        return span(self.reckonings[spell - 1], number, turned=False)

    @property
    def drive_score(self) -> list[int]:
        """The drive score of the two sides; empty while the rubber is in play."""
        return drive_score(self.night, is_settled=self.row.settled)


@dataclass(frozen=True, kw_only=True)
class HeldNight:
    """A night with all its rows, by the numbers of its players and tables."""

    row: RubberNight
    terms: RubberTerms
    people: Mapping[int, ActivityPlayer]
    tables: Mapping[tuple[int, int], HeldTable]
    """By round (0 outside a drive) and table number."""

    @property
    def code(self) -> Code:
        """The code by which it is scored, before the house's changes."""
        return code_named(self.row.code)

    @cached_property
    def standing(self) -> list[Tally]:
        """The standings of all tables together."""
        return combined(table.standing for table in self.tables.values())

    def table(self, number: int, round_: int = 0) -> HeldTable | None:
        """Return a table by its number."""
        return self.tables.get((round_, number))


def terms_of(night: RubberNight) -> RubberTerms:
    """Return the terms of a night: those of its code with the house's changes."""
    return changed(code_named(night.code).terms, night.terms)


def read_night(row: RubberNight) -> HeldNight:
    """Load a night; the number of queries does not depend on the number of tables."""
    terms = terms_of(row)
    people, seats = _of_drive(row.drive) if row.drive else (_players(row), {})
    members = _members(row)
    spells: dict[int | None, list[Spell]] = defaultdict(list)
    for spell in Spell.objects.filter(table__night=row).order_by("number"):
        spells[spell.table_id].append(spell)
    hands: dict[tuple[int | None, int], list[dict[str, Any]]] = defaultdict(list)
    found = RubberHand.objects.filter(table__night=row).exclude(told={})
    for hand in found.order_by("spell", "number"):
        hands[hand.table_id, hand.spell].append(hand.told)
    rows = {(each.round, each.number): each for each in row.tables.all()}
    rows |= {at: _not_marked(row, at) for at in seats if at not in rows}
    tables = {}
    for at, table in sorted(rows.items()):
        own = spells[table.pk]
        told = [hands[table.pk, spell.number] for spell in own]
        if at in seats and not any(told):  # without hands the table has the drive's seats
            own, told = [Spell(number=1, seats=list(seats[at]), dealer=seats[at][0])], [[]]
        belong = members[table.pk]
        if row.drive is not None:
            belong = [Belonging(str(number)) for spell in own[:1] for number in spell.seats]
        tables[at] = _held(row, terms, table, belong, own, told)
    return HeldNight(row=row, terms=terms, people=people, tables=tables)


def _players(row: RubberNight) -> dict[int, ActivityPlayer]:
    """Return all present and former members of the night's tables, by number."""
    found = row.players.filter(belongings__isnull=False).distinct()
    return {each.number: each for each in found.select_related("player")}


def _of_drive(
    drive: Drive,
) -> tuple[Mapping[int, ActivityPlayer], dict[tuple[int, int], tuple[int, ...]]]:
    """Return a drive's players, and the seats of the rounds in play: A, A, B, B."""
    held = read_drive(drive)
    seats = {
        (number, at): tuple(int(four[place]) for place in (0, 2, 1, 3))
        for number, each in held.rounds.items()
        if number <= drive.at_round
        for at, four in each.tables.items()
    }
    return held.players, seats


def _members(row: RubberNight) -> dict[int | None, list[Belonging]]:
    members: dict[int | None, list[Belonging]] = defaultdict(list)
    found = BelongingRow.objects.filter(table__night=row).order_by("id")
    for table, number, since, until in found.values_list(
        "table_id", "holder__number", "since", "until"
    ):
        members[table].append(Belonging(str(number), since, until))
    return members


def _not_marked(row: RubberNight, at: tuple[int, int]) -> RubberTable:
    """Return a drive's table that has no rows yet."""
    return RubberTable(night=row, round=at[0], number=at[1])


def _held(
    row: RubberNight,
    terms: RubberTerms,
    table: RubberTable,
    members: Sequence[Belonging],
    spells: Sequence[Spell],
    told: Sequence[Sequence[dict[str, Any]]],
) -> HeldTable:
    return HeldTable(
        row=table,
        night=Night(
            terms=terms,
            members=tuple(members),
            spells=tuple(
                Played.of(
                    spell.seats,
                    (read_hand(hand, _("hand %s") % at) for at, hand in enumerate(hands, 1)),
                )
                for spell, hands in zip(spells, told, strict=True)
            ),
            closed=row.is_closed or table.settled,
        ),
        spells=tuple(spells),
        told=tuple(map(tuple, told)),
    )
