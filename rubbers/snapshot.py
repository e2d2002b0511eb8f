"""A rubber night loaded with all its rows: players, tables, cuts and hands.

All pages, papers and files of a night are made from this snapshot. Scores, games, rubbers and
standings are computed from the hands each time (`rubbers.rubber`).
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.utils.translation import gettext as _

from clubs.activities.models import ActivityPlayer
from drives.models import Drive
from drives.snapshot import load_drive
from rubbers.files.rubber_file import parse_hand
from rubbers.models import Belonging as BelongingRow
from rubbers.models import RubberHand, RubberNight, RubberTable, Spell
from rubbers.rubber.codes import Code, find_code
from rubbers.rubber.corrections import CorrectionSpan, find_correction_span
from rubbers.rubber.dummy import (
    DUMMY_NAME,
    MIN_PLAYERS,
    GameKind,
    get_game_kind,
    remove_dummies,
)
from rubbers.rubber.night import (
    MemberTotals,
    Night,
    TableMembership,
    list_members,
    rank_members,
    rank_tables_together,
)
from rubbers.rubber.night import Spell as ScoringSpell
from rubbers.rubber.seating import compute_drive_score, is_spell_over
from rubbers.rubber.spell_score import ScoredSpell, score_hands
from rubbers.rubber.terms import RubberTerms, change_terms

DUMMY_NUMBER = int(DUMMY_NAME)
"""The number of a dummy in the seats of a spell."""


@dataclass(frozen=True, kw_only=True)
class TableSnapshot:
    """One table: its database rows, and its data for the scoring engine."""

    row: RubberTable
    night: Night
    spells: tuple[Spell, ...]
    """The database rows of the spells; the hands are in `night`."""
    stored_hands: tuple[tuple[dict[str, Any], ...], ...]
    """The hands of each spell in the stored format."""

    @cached_property
    def scored_spells(self) -> tuple[ScoredSpell, ...]:
        """The scored hands of each spell."""
        return tuple(score_hands(self.night.terms, spell.hands) for spell in self.night.spells)

    @cached_property
    def standings(self) -> list[MemberTotals]:
        """The standings of the table's members."""
        return rank_members(self.night)

    @property
    def present_members(self) -> tuple[int, ...]:
        """The numbers of the present members, who take part in the next seating."""
        return tuple(map(int, list_members(self.night, len(self.spells) + 1)))

    @property
    def current_seats(self) -> tuple[int, ...]:
        """The player numbers of the present spell: side A's two players, then side B's.

        The tuple is empty before the first spell. A dummy has the number 0.
        """
        return tuple(self.spells[-1].seats) if self.spells else ()

    @property
    def kind(self) -> GameKind:
        """The kind of game for the seated players; before the first spell, for all members."""
        players = remove_dummies(map(str, self.current_seats)) or self.present_members
        return get_game_kind(max(MIN_PLAYERS, len(players)))

    @property
    def waiting_members(self) -> tuple[int, ...]:
        """The members who do not play now."""
        return tuple(
            number for number in self.present_members if number not in self.current_seats
        )

    @property
    def has_player_left(self) -> bool:
        """Whether one of the four seated players has left the table."""
        return any(
            number not in self.present_members
            for number in self.current_seats
            if number != DUMMY_NUMBER
        )

    @property
    def is_over(self) -> bool:
        """Whether the next four must be seated: before the first spell, or after a rubber."""
        if not self.spells:
            return True
        hands = self.scored_spells[-1].hands
        return self.has_player_left or is_spell_over(self.night, hands[-1] if hands else None)

    def get_correction_span(self, spell_number: int, hand_number: int) -> CorrectionSpan:
        """Return the limits for a correction of a hand.

        Once hands of the next spell are recorded, the limit is `ORGANISER`.
        """
        if any(self.stored_hands[spell_number:]):
            return CorrectionSpan.ORGANISER
        return find_correction_span(
            self.scored_spells[spell_number - 1], hand_number, is_turned_up=False
        )

    @property
    def drive_score(self) -> list[int]:
        """The drive score of the two sides; empty while the rubber is in play."""
        return compute_drive_score(self.night, is_settled=self.row.settled)


@dataclass(frozen=True, kw_only=True)
class NightSnapshot:
    """A night with all its rows."""

    row: RubberNight
    terms: RubberTerms
    players: Mapping[int, ActivityPlayer]
    """The players by number."""
    tables: Mapping[tuple[int, int], TableSnapshot]
    """The tables, by round (0 outside a drive) and table number."""

    @property
    def code(self) -> Code:
        """The scoring code of the night, without the club's changes to its terms."""
        return find_code(self.row.code)

    @cached_property
    def standings(self) -> list[MemberTotals]:
        """The standings of all tables together."""
        return rank_tables_together(table.standings for table in self.tables.values())

    def get_table(self, number: int, round_: int = 0) -> TableSnapshot | None:
        """Return a table by its number."""
        return self.tables.get((round_, number))


def get_terms(night: RubberNight) -> RubberTerms:
    """Return the terms of a night: the terms of its code, with the club's changes."""
    return change_terms(find_code(night.code).terms, night.terms)


def load_night(row: RubberNight) -> NightSnapshot:
    """Load a night; the number of queries does not depend on the number of tables."""
    terms = get_terms(row)
    players, drive_seats = (
        _load_drive_seats(row.drive) if row.drive else (_load_players(row), {})
    )
    members_by_table = _load_members(row)
    spells_by_table: dict[int | None, list[Spell]] = defaultdict(list)
    for spell in Spell.objects.filter(table__night=row).order_by("number"):
        spells_by_table[spell.table_id].append(spell)
    hands_by_table_and_spell: dict[tuple[int | None, int], list[dict[str, Any]]] = defaultdict(
        list
    )
    hand_rows = RubberHand.objects.filter(table__night=row).exclude(told={})
    for hand in hand_rows.order_by("spell", "number"):
        hands_by_table_and_spell[hand.table_id, hand.spell].append(hand.told)
    table_rows = {
        (stored_row.round, stored_row.number): stored_row for stored_row in row.tables.all()
    }
    table_rows |= {
        table_key: _build_empty_table(row, table_key)
        for table_key in drive_seats
        if table_key not in table_rows
    }
    table_snapshots = {}
    for table_key, table_row in sorted(table_rows.items()):
        table_spells = spells_by_table[table_row.pk]
        hands_by_spell = [
            hands_by_table_and_spell[table_row.pk, spell.number] for spell in table_spells
        ]
        if table_key in drive_seats and not any(
            hands_by_spell
        ):  # without hands the table has the drive's seats
            table_spells, hands_by_spell = (
                [
                    Spell(
                        number=1,
                        seats=list(drive_seats[table_key]),
                        dealer=drive_seats[table_key][0],
                    )
                ],
                [[]],
            )
        table_members = members_by_table[table_row.pk]
        if row.drive is not None:
            table_members = [
                TableMembership(str(number))
                for spell in table_spells[:1]
                for number in spell.seats
            ]
        table_snapshots[table_key] = _build_table(
            row, terms, table_row, table_members, table_spells, hands_by_spell
        )
    return NightSnapshot(row=row, terms=terms, players=players, tables=table_snapshots)


def _load_players(row: RubberNight) -> dict[int, ActivityPlayer]:
    """Return all present and former members of the night's tables, by number."""
    players = row.players.filter(belongings__isnull=False).distinct()
    return {player.number: player for player in players.select_related("player")}


def _load_drive_seats(
    drive: Drive,
) -> tuple[Mapping[int, ActivityPlayer], dict[tuple[int, int], tuple[int, ...]]]:
    """Return a drive's players, and the seats of its rounds that are in play or over, in the
    order A, A, B, B.
    """
    snapshot = load_drive(drive)
    seats = {
        (number, table_key): tuple(int(table_seats[index]) for index in (0, 2, 1, 3))
        for number, round_ in snapshot.rounds.items()
        if number <= drive.at_round
        for table_key, table_seats in round_.tables.items()
    }
    return snapshot.players, seats


def _load_members(row: RubberNight) -> dict[int | None, list[TableMembership]]:
    members: dict[int | None, list[TableMembership]] = defaultdict(list)
    memberships = BelongingRow.objects.filter(table__night=row).order_by("id")
    for table, number, since, until in memberships.values_list(
        "table_id", "holder__number", "since", "until"
    ):
        members[table].append(TableMembership(str(number), since, until))
    return members


def _build_empty_table(row: RubberNight, table_key: tuple[int, int]) -> RubberTable:
    """Build the row of a drive's table that has no hands yet, without saving it."""
    return RubberTable(night=row, round=table_key[0], number=table_key[1])


def _build_table(
    row: RubberNight,
    terms: RubberTerms,
    table: RubberTable,
    members: Sequence[TableMembership],
    spells: Sequence[Spell],
    hands_by_spell: Sequence[Sequence[dict[str, Any]]],
) -> TableSnapshot:
    return TableSnapshot(
        row=table,
        night=Night(
            terms=terms,
            members=tuple(members),
            spells=tuple(
                ScoringSpell.from_seats(
                    spell.seats,
                    (
                        parse_hand(hand, _("hand %s") % table_key)
                        for table_key, hand in enumerate(hands, 1)
                    ),
                )
                for spell, hands in zip(spells, hands_by_spell, strict=True)
            ),
            is_closed=row.is_closed or table.settled,
        ),
        spells=tuple(spells),
        stored_hands=tuple(map(tuple, hands_by_spell)),
    )
