"""Contracts of the variants of whist in which single players win points, and points tables.

A game consists of contracts with points, and of rules for doubling, fines and revokes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import Any

from server.translation import TranslatedField

TRICKS_PER_DEAL = 13


class DeclaringSide(StrEnum):
    """How many players play a contract, and whether they win or lose together."""

    ALONE = "alone"
    PAIR = "pair"
    PAIR_OR_ALONE = "pair-or-alone"
    """The partner is found during the hand; the bidder may turn out to have none."""
    EACH = "each"
    """One to four players, each of whom wins or loses separately."""


class TrickGoal(StrEnum):
    """How tricks are compared with `ContractRule.wants` to decide if a contract is made."""

    AT_LEAST = "least"
    AT_MOST = "most"
    EXACTLY = "exactly"
    ALWAYS_LOSES = "loses"
    """The player of the contract always pays, and no tricks are entered."""


class PassedDealRule(StrEnum):
    """The effect of a deal that all four players passed: the next hand may count more."""

    REDEAL = "redeal"
    DOUBLE_NEXT = "double-next"
    """The next hand is doubled after any number of passed deals."""
    ACCUMULATE = "adds"
    """The next hand counts twice after one passed deal, three times after two, and so on."""


class SeveralBiddersRule(StrEnum):
    """The rule for a contract that several players have bid separately."""

    EACH = "each"
    TOGETHER = "camp"
    """The players win or lose together, and share the points equally."""


@dataclass(frozen=True, kw_only=True)
class RevokeRule:
    """The cost of a revoke by the side that plays the contract: tricks or a multiple of points.

    Exactly one of the two fields is set.
    """

    tricks: int | None = None
    times: int | None = None


@dataclass(frozen=True)
class ContractLabel:
    """The identifiers and the names of a contract.

    `code` is the identifier in files. `local` is the name that players use.
    """

    code: str
    key: str
    """Two or three characters to type or to write on paper, unique in the game."""
    title: TranslatedField = TranslatedField()
    local: TranslatedField = TranslatedField()
    family: TranslatedField = TranslatedField()
    """The heading under which the phone lists the contract."""


@dataclass(frozen=True)
class ContractRule:
    """The tricks and points of a contract; the field names are keys of the JSON format.

    `wants` is the number of tricks for the `goal`, or None if tricks do not matter. `made`
    contains the points for exactly enough tricks, for one overtrick, for two and so on. Each
    further overtrick adds `made_step`. `lost` contains the points for one missing trick, for
    two and so on. Each opponent pays or receives these points. `played` is true if the contract
    may be bid.
    """

    side: DeclaringSide
    goal: TrickGoal
    wants: int | None
    made: tuple[int, ...]
    lost: tuple[int, ...]
    made_step: int = 0
    lost_step: int = 0
    played: bool = True

    @property
    def is_flat_rate(self) -> bool:
        """Whether the points depend only on whether the contract is made, not on the number of
        tricks.
        """
        has_single_value = len(self.made) == len(self.lost) == 1
        return self.goal is not TrickGoal.AT_LEAST or (
            has_single_value and self.made_step == self.lost_step == 0
        )

    @property
    def is_all_or_none(self) -> bool:
        """Whether a single trick can decide the contract.

        A revoke then costs the points for one missing trick.
        """
        return self.goal is not TrickGoal.AT_LEAST or self.wants == TRICKS_PER_DEAL

    @property
    def player_counts(self) -> tuple[int, ...]:
        """The possible numbers of players of the contract."""
        return {
            DeclaringSide.ALONE: (1,),
            DeclaringSide.PAIR: (2,),
            DeclaringSide.PAIR_OR_ALONE: (1, 2),
            DeclaringSide.EACH: (1, 2, 3, 4),
        }[self.side]

    def is_made_by(self, tricks: int) -> bool:
        """Return whether a number of tricks makes the contract."""
        required_tricks = self.wants or 0
        if self.goal is TrickGoal.AT_LEAST:
            return tricks >= required_tricks
        return (
            tricks <= required_tricks
            if self.goal is TrickGoal.AT_MOST
            else tricks == required_tricks
        )

    def compute_points(self, tricks: int) -> int:
        """Return the points of the contract for a number of tricks, made or lost."""
        if not self.is_made_by(tricks):
            return self.compute_lost_points((self.wants or 0) - tricks)
        return self.compute_made_points(tricks - (self.wants or 0))

    def compute_made_points(self, overtricks: int) -> int:
        """Return the points of a made contract with a number of overtricks."""
        points_index = overtricks if self.goal is TrickGoal.AT_LEAST else 0
        return _get_points(self.made, self.made_step, points_index)

    def compute_lost_points(self, missing_tricks: int) -> int:
        """Return the points of a lost contract for a number of missing tricks, at least 1."""
        points_index = missing_tricks - 1 if self.goal is TrickGoal.AT_LEAST else 0
        return _get_points(self.lost, self.lost_step, points_index)


def _get_points(points: tuple[int, ...], step_points: int, points_index: int) -> int:
    """Return the points at an index; each index beyond the list adds `step_points`."""
    step_count = points_index - len(points) + 1
    return points[points_index] if step_count <= 0 else points[-1] + step_points * step_count


def format_points(points: Sequence[int], step_points: int) -> str:
    """Return points and the step for further tricks as text, e.g. "8 11 14 +3"."""
    return " ".join([*map(str, points), *([f"+{step_points}"] if step_points else [])])


@dataclass(frozen=True)
class Contract:
    """One contract of a game."""

    label: ContractLabel
    rule: ContractRule

    @property
    def code(self) -> str:
        """The identifier of the contract in files and in the database, which never changes."""
        return self.label.code


def build_contract(
    definition: str, title: str, local_name: str, family: str, *, is_playable: bool = True
) -> Contract:
    """Build a contract of a game from a text such as "alone-5/l5/alone 5: 2 3 4 20 | 4 +2".

    The parts of the text are code, key, side, goal (`least` if omitted), tricks, the points if
    made, and the points if lost. A step has a plus sign.
    """
    contract_text, _colon, points_text = definition.partition(":")
    identifiers, _space, tricks_text = contract_text.partition(" ")
    code, contract_key, side, *goal_parts = identifiers.split("/")
    goal, required_tricks = (
        TrickGoal(*goal_parts or ["least"]),
        int(tricks_text) if tricks_text else None,
    )
    (made_points, made_step), (lost_points, lost_step) = map(
        _split_points, points_text.split("|")
    )
    contract_label = ContractLabel(code, contract_key, title, local_name, family)
    return Contract(
        contract_label,
        ContractRule(
            DeclaringSide(side),
            goal,
            required_tricks,
            made_points,
            lost_points,
            made_step,
            lost_step,
            is_playable,
        ),
    )


def _split_points(points_text: str) -> tuple[tuple[int, ...], int]:
    points = points_text.split()
    step_points = sum(
        int(points.pop()) for last_point in points[-1:] if last_point.startswith("+")
    )
    return tuple(map(int, points)), step_points


@dataclass(frozen=True, kw_only=True)
class PointsTable:
    """The contracts of a game in the order of the bids, and the rules for counting points.

    The field names are keys of the JSON format.
    """

    contracts: tuple[Contract, ...]
    passed: PassedDealRule = PassedDealRule.REDEAL
    several: SeveralBiddersRule = SeveralBiddersRule.EACH
    times: tuple[int, ...] = ()
    """The multiples by which a table may double a hand."""
    revoke: RevokeRule | None = None
    """The cost of a revoke; None if revokes are entered as fines."""
    fines: bool = True
    """Whether fines are played."""

    @cached_property
    def contracts_by_code(self) -> Mapping[str, Contract]:
        """The contracts by code."""
        return {contract.code: contract for contract in self.contracts}

    @property
    def playable_contracts(self) -> tuple[Contract, ...]:
        """The contracts that may be bid."""
        return tuple(contract for contract in self.contracts if contract.rule.played)

    @property
    def is_partner_optional(self) -> bool:
        """Whether, for some playable contract, the bidder may or may not have a partner."""
        return any(
            contract.rule.side is DeclaringSide.PAIR_OR_ALONE
            for contract in self.playable_contracts
        )

    def compute_multiple(self, passed_deal_count: int, table_multiplier: int) -> int:
        """Return the number by which the points of a hand are multiplied.

        `passed_deal_count` is the number of deals before the hand in which everyone passed.
        `table_multiplier` was chosen at the table; it is 1 if the hand is not doubled.
        """
        multipliers_by_rule = {
            PassedDealRule.REDEAL: 1,
            PassedDealRule.DOUBLE_NEXT: 2 if passed_deal_count else 1,
            PassedDealRule.ACCUMULATE: 1 + passed_deal_count,
        }
        return multipliers_by_rule[self.passed] * table_multiplier


def replace_local_names_by_titles(points_table: PointsTable) -> PointsTable:
    """Return the table with plain titles in `local`, the field with the players' own names."""
    contracts = (
        replace(contract, label=replace(contract.label, local=contract.label.title))
        for contract in points_table.contracts
    )
    return replace(points_table, contracts=tuple(contracts))


@dataclass(frozen=True, kw_only=True)
class Variant:
    """A predefined variant of a game's points table.

    `changes` have the same format as a club's own changes.
    """

    code: str
    title: TranslatedField = TranslatedField()
    changes: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Game:
    """A game: its points table, its texts, and its predefined variants."""

    code: str
    title: TranslatedField = TranslatedField()
    blurb: TranslatedField = TranslatedField()
    source: TranslatedField = TranslatedField()
    doubt: TranslatedField = TranslatedField()
    """The points that clubs should compare with their own; "" if there are none."""
    points_table: PointsTable
    variants: tuple[Variant, ...]
