"""A rubber night with all its data from the database: players, tables, spells and hands.

All pages, papers and files of a night are made from this snapshot. Scores, games, rubbers and
standings are not stored: `rubbers.rubber` computes them from the hands.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.utils.translation import gettext as _

from clubs.activities.models import ActivityPlayer
from drives.models import Drive
from drives.snapshot import load_drive_snapshot
from rubbers.files.rubber_file import parse_hand
from rubbers.models import Belonging as BelongingRow
from rubbers.models import RubberHand, RubberNight, RubberTable, Spell
from rubbers.rubber.codes import LawCode, find_law_code
from rubbers.rubber.corrections import CorrectionStage, find_correction_stage
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
    rank_members_of_tables,
)
from rubbers.rubber.night import Spell as ScoringSpell
from rubbers.rubber.seating import compute_drive_score, is_spell_over
from rubbers.rubber.spell_score import ScoredSpell, score_hands
from rubbers.rubber.terms import RubberTerms, change_terms

DUMMY_NUMBER = int(DUMMY_NAME)
"""The number that a dummy has in the seats of a spell."""


@dataclass(frozen=True, kw_only=True)
class TableSnapshot:
    """A table: its model objects (`row`, `spells`), and its data for scoring (`night`)."""

    row: RubberTable
    night: Night
    spells: tuple[Spell, ...]
    """The spells as stored; the same spells with their hands are in `night`."""
    stored_hands: tuple[tuple[dict[str, Any], ...], ...]
    """The hands of each spell in the stored format."""

    @cached_property
    def scored_spells(self) -> tuple[ScoredSpell, ...]:
        """The score of each spell's hands."""
        return tuple(score_hands(self.night.terms, spell.hands) for spell in self.night.spells)

    @cached_property
    def standings(self) -> list[MemberTotals]:
        """The standings of this table's members."""
        return rank_members(self.night)

    @property
    def present_members(self) -> tuple[int, ...]:
        """The numbers of the members who have not left, and who can play in the next spell."""
        return tuple(map(int, list_members(self.night, len(self.spells) + 1)))

    @property
    def current_seats(self) -> tuple[int, ...]:
        """The numbers of the present spell's players: side A's two, then side B's.

        Empty before the first spell. The number of a dummy is 0.
        """
        return tuple(self.spells[-1].seats) if self.spells else ()

    @property
    def kind(self) -> GameKind:
        """The kind of game for the seated players; before the first spell, for all members."""
        players = remove_dummies(map(str, self.current_seats)) or self.present_members
        return get_game_kind(max(MIN_PLAYERS, len(players)))

    @property
    def waiting_members(self) -> tuple[int, ...]:
        """The numbers of the present members who are not seated now."""
        return tuple(
            player_number
            for player_number in self.present_members
            if player_number not in self.current_seats
        )

    @property
    def has_player_left(self) -> bool:
        """Whether one of the four seated players has left the table."""
        return any(
            player_number not in self.present_members
            for player_number in self.current_seats
            if player_number != DUMMY_NUMBER
        )

    @property
    def is_over(self) -> bool:
        """Whether the next four must be seated.

        That is so before the first spell, after a rubber, and when a seated player has left.
        """
        if not self.spells:
            return True
        hands = self.scored_spells[-1].hands
        return self.has_player_left or is_spell_over(self.night, hands[-1] if hands else None)

    def get_correction_stage(self, spell_number: int, hand_number: int) -> CorrectionStage:
        """Return the stage of correcting a hand, which decides who may correct it.

        The stage is `ORGANISER_ONLY` if a later spell has hands.
        """
        if any(self.stored_hands[spell_number:]):
            return CorrectionStage.ORGANISER_ONLY
        return find_correction_stage(
            self.scored_spells[spell_number - 1], hand_number, has_next_turn_up=False
        )

    @property
    def drive_score(self) -> list[int]:
        """The scores of both sides for the drive; empty while the rubber is in play."""
        return compute_drive_score(self.night, should_count_unfinished=self.row.settled)


@dataclass(frozen=True, kw_only=True)
class NightSnapshot:
    """A night with all its data; `row` is the model object."""

    row: RubberNight
    terms: RubberTerms
    players: Mapping[int, ActivityPlayer]
    """The players by number."""
    tables: Mapping[tuple[int, int], TableSnapshot]
    """The tables by round and table number; the round is 0 if the night has no drive."""

    @property
    def code(self) -> LawCode:
        """The code of the night, without the club's changes to its terms."""
        return find_law_code(self.row.code)

    @cached_property
    def standings(self) -> list[MemberTotals]:
        """The standings of the members of all tables together."""
        return rank_members_of_tables(table.standings for table in self.tables.values())

    def get_table(self, table_number: int, round_number: int = 0) -> TableSnapshot | None:
        """Return the table with a number in a round, or None."""
        return self.tables.get((round_number, table_number))


def get_terms(night: RubberNight) -> RubberTerms:
    """Return the terms of a night: those of its code, with the club's changes."""
    return change_terms(find_law_code(night.code).terms, night.terms)


def load_night(night: RubberNight) -> NightSnapshot:
    """Load a night with a number of queries that does not depend on the number of tables."""
    terms = get_terms(night)
    players, drive_seats_by_table_key = (
        _load_drive_seats(night.drive) if night.drive else (_load_players(night), {})
    )
    members_by_table = _load_members(night)
    spells_by_table: dict[int | None, list[Spell]] = defaultdict(list)
    for spell in Spell.objects.filter(table__night=night).order_by("number"):
        spells_by_table[spell.table_id].append(spell)
    hands_by_table_and_spell: dict[tuple[int | None, int], list[dict[str, Any]]] = defaultdict(
        list
    )
    stored_hands = RubberHand.objects.filter(table__night=night).exclude(told={})
    for hand in stored_hands.order_by("spell", "number"):
        hands_by_table_and_spell[hand.table_id, hand.spell].append(hand.told)
    rubber_table_by_key = {(table.round, table.number): table for table in night.tables.all()}
    rubber_table_by_key |= {
        table_key: _build_empty_table(night, table_key)
        for table_key in drive_seats_by_table_key
        if table_key not in rubber_table_by_key
    }
    table_snapshot_by_key = {}
    for table_key, rubber_table in sorted(rubber_table_by_key.items()):
        table_spells = spells_by_table[rubber_table.pk]
        hands_by_spell = [
            hands_by_table_and_spell[rubber_table.pk, spell.number] for spell in table_spells
        ]
        if table_key in drive_seats_by_table_key and not any(
            hands_by_spell
        ):  # until a hand is recorded, the seats of the drive are used
            table_spells, hands_by_spell = (
                [
                    Spell(
                        number=1,
                        seats=list(drive_seats_by_table_key[table_key]),
                        dealer=drive_seats_by_table_key[table_key][0],
                    )
                ],
                [[]],
            )
        table_members = members_by_table[rubber_table.pk]
        if night.drive is not None:
            table_members = [
                TableMembership(str(player_number))
                for spell in table_spells[:1]
                for player_number in spell.seats
            ]
        table_snapshot_by_key[table_key] = _build_table(
            night, terms, rubber_table, table_members, table_spells, hands_by_spell
        )
    return NightSnapshot(row=night, terms=terms, players=players, tables=table_snapshot_by_key)


def _load_players(night: RubberNight) -> dict[int, ActivityPlayer]:
    """Return the present and former members of a night's tables, by number."""
    players = night.players.filter(belongings__isnull=False).distinct()
    return {player.number: player for player in players.select_related("player")}


def _load_drive_seats(
    drive: Drive,
) -> tuple[Mapping[int, ActivityPlayer], dict[tuple[int, int], tuple[int, ...]]]:
    """Return a drive's players by number, and its seats by round and table number.

    Only rounds that are in play or over are returned. Seats are in the order A, A, B, B.
    """
    snapshot = load_drive_snapshot(drive)
    seats_by_round_and_table = {
        (round_number, table_number): tuple(int(table_seats[index]) for index in (0, 2, 1, 3))
        for round_number, round_ in snapshot.round_by_number.items()
        if round_number <= drive.at_round
        for table_number, table_seats in round_.seats_by_table.items()
    }
    return snapshot.player_by_number, seats_by_round_and_table


def _load_members(night: RubberNight) -> dict[int | None, list[TableMembership]]:
    members_by_table: dict[int | None, list[TableMembership]] = defaultdict(list)
    memberships = BelongingRow.objects.filter(table__night=night).order_by("id")
    for (
        table_id,
        player_number,
        first_spell_number,
        last_spell_number,
    ) in memberships.values_list("table_id", "holder__number", "since", "until"):
        members_by_table[table_id].append(
            TableMembership(str(player_number), first_spell_number, last_spell_number)
        )
    return members_by_table


def _build_empty_table(night: RubberNight, table_key: tuple[int, int]) -> RubberTable:
    """Return a table of a drive that has no hands yet; it is not saved."""
    return RubberTable(night=night, round=table_key[0], number=table_key[1])


def _build_table(
    night: RubberNight,
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
                        parse_hand(hand, _("hand %s") % hand_number)
                        for hand_number, hand in enumerate(hands, 1)
                    ),
                )
                for spell, hands in zip(spells, hands_by_spell, strict=True)
            ),
            is_closed=night.is_closed or table.settled,
        ),
        spells=tuple(spells),
        stored_hands=tuple(map(tuple, hands_by_spell)),
    )
