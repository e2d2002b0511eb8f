"""Contracts of the whists in which single players win points, and the table of a game's points.

A game is data: its contracts with their points, and the terms of doubling, fines and revokes.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import Any

from server.translation import TranslatedField

TRICKS = 13


class Side(StrEnum):
    """The players of a contract."""

    ALONE = "alone"
    PAIR = "pair"
    PAIR_OR_ALONE = "pair-or-alone"
    """The partner is found during the hand; the bidder may turn out to have none."""
    EACH = "each"
    """One to four players, each for himself."""


class Goal(StrEnum):
    """The number of tricks that makes a contract, compared with `wants`."""

    AT_LEAST = "least"
    AT_MOST = "most"
    EXACTLY = "exactly"
    LOSES = "loses"
    """No tricks are entered; the named player pays."""


class PassedRule(StrEnum):
    """The effect of deals that everyone passed on the next hand."""

    REDEAL = "redeal"
    DOUBLE_NEXT = "double-next"
    """Doubled, after any number of passed deals."""
    ADDS = "adds"
    """Times two after one passed deal, times three after two, and so on."""


class SeveralRule(StrEnum):
    """The rule for several players of a contract that each plays for himself."""

    EACH = "each"
    CAMP = "camp"
    """They win or lose together, and share equally."""


@dataclass(frozen=True, kw_only=True)
class RevokeRule:
    """The cost of a revoke by the side that plays: tricks taken off, or a multiple of points.

    Exactly one of both is set.
    """

    tricks: int | None = None
    times: int | None = None


@dataclass(frozen=True)
class Label:
    """The names of a contract; `code` and `key` never change, `local` is the players' word."""

    code: str
    key: str
    """Two or three characters for keyboard and paper, unique in the game."""
    title: TranslatedField = TranslatedField()
    local: TranslatedField = TranslatedField()
    family: TranslatedField = TranslatedField()
    """The heading on the phone."""


@dataclass(frozen=True)
class Rule:
    """The tricks and points of a contract.

    `made` are the points for exactly enough tricks, one more, two more and so on, and each
    further trick adds `made_step`. `lost` are those for one trick short, two short and so on.
    Points are what each opponent pays or receives. `wants` is None where no tricks count.
    """

    side: Side
    how: Goal
    wants: int | None
    made: tuple[int, ...]
    lost: tuple[int, ...]
    made_step: int = 0
    lost_step: int = 0
    played: bool = True

    @property
    def is_flat(self) -> bool:
        """Whether points do not depend on the tricks, so that made or lost is enough."""
        one_price = len(self.made) == len(self.lost) == 1
        return self.how is not Goal.AT_LEAST or (
            one_price and self.made_step == self.lost_step == 0
        )

    @property
    def needs_all_or_none(self) -> bool:
        """Whether a single trick decides, so that a revoke costs the first price."""
        return self.how is not Goal.AT_LEAST or self.wants == TRICKS

    @property
    def player_counts(self) -> tuple[int, ...]:
        """The possible numbers of players of the contract."""
        return {
            Side.ALONE: (1,),
            Side.PAIR: (2,),
            Side.PAIR_OR_ALONE: (1, 2),
            Side.EACH: (1, 2, 3, 4),
        }[self.side]

    def is_made_by(self, tricks: int) -> bool:
        """Return whether a number of tricks makes the contract."""
        wants = self.wants or 0
        if self.how is Goal.AT_LEAST:
            return tricks >= wants
        return tricks <= wants if self.how is Goal.AT_MOST else tricks == wants

    def compute_price(self, tricks: int) -> int:
        """Return the points of the contract for a number of tricks, made or lost."""
        if not self.is_made_by(tricks):
            return self.compute_lost((self.wants or 0) - tricks)
        return self.compute_made(tricks - (self.wants or 0))

    def compute_made(self, over: int) -> int:
        """Return the points of a made contract with a number of overtricks."""
        at = over if self.how is Goal.AT_LEAST else 0
        return _look_up(self.made, self.made_step, at)

    def compute_lost(self, short: int) -> int:
        """Return the points of a lost contract for a number of missing tricks, at least 1."""
        at = short - 1 if self.how is Goal.AT_LEAST else 0
        return _look_up(self.lost, self.lost_step, at)


def _look_up(points: tuple[int, ...], step: int, at: int) -> int:
    beyond = at - len(points) + 1
    return points[at] if beyond <= 0 else points[-1] + step * beyond


@dataclass(frozen=True)
class Contract:
    """One contract of a game."""

    label: Label
    rule: Rule

    @property
    def code(self) -> str:
        """The permanent code."""
        return self.label.code


def build_contract(
    line: str, title: str, local: str, family: str, *, played: bool = True
) -> Contract:
    """Build a contract of a game from a line such as "alone-5/l5/alone 5: 2 3 4 20 | 4 +2".

    Its parts are code, key, side, goal (`least` if left out), tricks, the points made, and the
    points lost. A step has a plus sign.
    """
    words, _colon, points = line.partition(":")
    names, _space, tricks = words.partition(" ")
    code, key, side, *goal = names.split("/")
    how, wants = Goal(*goal or ["least"]), int(tricks) if tricks else None
    (made, made_step), (lost, lost_step) = map(_split_points, points.split("|"))
    label = Label(code, key, title, local, family)
    return Contract(
        label, Rule(Side(side), how, wants, made, lost, made_step, lost_step, played)
    )


def _split_points(written: str) -> tuple[tuple[int, ...], int]:
    points = written.split()
    step = sum(int(points.pop()) for each in points[-1:] if each.startswith("+"))
    return tuple(map(int, points)), step


@dataclass(frozen=True, kw_only=True)
class PointsTable:
    """The contracts and terms of a game, in the order of the bids."""

    contracts: tuple[Contract, ...]
    passed: PassedRule = PassedRule.REDEAL
    several: SeveralRule = SeveralRule.EACH
    times: tuple[int, ...] = ()
    """The multiples that a table may enter for a hand."""
    revoke: RevokeRule | None = None
    """None: revokes are entered as fines."""
    fines: bool = True

    @cached_property
    def by_code(self) -> Mapping[str, Contract]:
        """The contracts by code."""
        return {each.code: each for each in self.contracts}

    @property
    def played(self) -> tuple[Contract, ...]:
        """The contracts that may be bid."""
        return tuple(each for each in self.contracts if each.rule.played)

    def compute_multiple(self, passed: int, times: int) -> int:
        """Return the multiple of a hand after a number of passed deals."""
        by_rule = {
            PassedRule.REDEAL: 1,
            PassedRule.DOUBLE_NEXT: 2 if passed else 1,
            PassedRule.ADDS: 1 + passed,
        }
        return by_rule[self.passed] * times


def replace_words_by_titles(table: PointsTable) -> PointsTable:
    """Return a table whose contracts have their titles instead of the players' words."""
    contracts = (
        replace(each, label=replace(each.label, local=each.label.title))
        for each in table.contracts
    )
    return replace(table, contracts=tuple(contracts))


@dataclass(frozen=True, kw_only=True)
class Variant:
    """A ready variant of a game's table; `changes` have the format of a club's own changes."""

    code: str
    title: TranslatedField = TranslatedField()
    changes: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Game:
    """A game: its table of points, its texts, and its ready variants."""

    code: str
    title: TranslatedField = TranslatedField()
    blurb: TranslatedField = TranslatedField()
    source: TranslatedField = TranslatedField()
    doubt: TranslatedField = TranslatedField()
    """The points that clubs should compare with their own; "" if there are none."""
    table: PointsTable
    variants: tuple[Variant, ...]
