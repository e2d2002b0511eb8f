"""The input of a Swiss draw: the entries, their scores, and the earlier rounds."""

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from re import fullmatch
from typing import Annotated, Any

from django.utils.translation import gettext as _

from server.json_reader.problems import JsonPath
from server.json_reader.values import (
    build_number_or_text_reader,
    build_text_reader,
    build_whole_number_reader,
    read_anything,
)
from server.translation import gettext_noop

EntryId = int | str


class SeatPreference(StrEnum):
    """The seat that an entry must have or prefers."""

    ANY = ""
    STAYS = "stays"  # the entry must keep its seat, which is North-South
    NORTH_SOUTH = "north-south"  # the entry prefers North-South


class DrawMethod(StrEnum):
    """The method by which the opponents of a round are chosen."""

    SWISS = "swiss"  # entries with equal scores meet, without a repeat if possible
    DANISH = "danish"  # neighbours in the ranking meet, even if they have met before
    MONRAD = "monrad"  # neighbours in the ranking meet, without a repeat if possible
    RANDOM = "random"  # scores are ignored, for comparison with other methods; no repeats


class OddRule(StrEnum):
    """The rule for an odd number of entries: a sit-out or a three-way match."""

    SIT_OUT = "sit-out"
    THREE_WAY = "three-way"  # teams only: three play half matches against each other


read_id = build_number_or_text_reader(
    read_anything,
    build_text_reader(description=gettext_noop("a whole number or a name in quotes")),
)


def read_score(json_value: Any, json_path: JsonPath) -> Any:
    number_text = (
        str(json_value)
        if isinstance(json_value, int) and not isinstance(json_value, bool)
        else json_value
    )
    if isinstance(number_text, str) and fullmatch(
        r"[-+]?[0-9]{1,7}(\.[0-9]{1,2})?", number_text
    ):
        return Fraction(number_text)
    message = _("must be a decimal in quotes with at most two places, such as “12.25”.")
    return json_path.report(message)


@dataclass(frozen=True, slots=True)
class Entry:
    """A pair or a team with its score.

    If `left` is True, the entry has withdrawn: its results still count, but it is not drawn.
    """

    id: Annotated[EntryId, read_id]
    score: Annotated[Fraction, read_score] = Fraction(0)
    name: str = ""
    seat: SeatPreference = SeatPreference.ANY
    left: bool = False

    @property
    def cents(self) -> int:
        """The score in hundredths, the unit of the draw."""
        return round(self.score * 100)


@dataclass(frozen=True, slots=True)
class EarlierPairing:
    """Two entries that met in an earlier round; of two teams, `ns` was the home team."""

    ns: Annotated[EntryId, read_id]
    ew: Annotated[EntryId, read_id]
    table: Annotated[int | None, build_whole_number_reader(1, 10_000)] = None


@dataclass(frozen=True, slots=True)
class DrawnRound:
    """An earlier round with its meetings and sit-outs."""

    number: int
    pairings: tuple[EarlierPairing, ...]
    sit_out_ids: tuple[EntryId, ...] = ()
    session_number: int | None = None  # an earlier session of the event; None for this session


@dataclass(frozen=True)
class DrawField:
    """The complete input of a round's draw."""

    entries: tuple[Entry, ...]
    round_number: int = 1
    seed: str = ""
    earlier_rounds: tuple[DrawnRound, ...] = ()
    separated_pairings: frozenset[frozenset[EntryId]] = frozenset()
    kind: str = "pairs"
    method: DrawMethod = DrawMethod.SWISS
    odd_rule: OddRule = OddRule.SIT_OUT
    last_protected_round: int = (
        0  # the last round in which repeated meetings are avoided; 0 if unknown
    )

    @cached_property
    def present_entries(self) -> tuple[Entry, ...]:
        """The entries that have not withdrawn, sorted by id."""
        return tuple(
            sorted(
                (entry for entry in self.entries if not entry.left),
                key=lambda entry: get_id_sort_key(entry.id),
            )
        )

    @cached_property
    def rounds_by_pairing(self) -> dict[frozenset[EntryId], list[DrawnRound]]:
        """The rounds in which two entries met, by the set of both ids."""
        rounds_by_pairing: dict[frozenset[EntryId], list[DrawnRound]] = {}
        for drawn_round in self.earlier_rounds:
            for pairing in drawn_round.pairings:
                rounds_by_pairing.setdefault(frozenset((pairing.ns, pairing.ew)), []).append(
                    drawn_round
                )
        return rounds_by_pairing

    @cached_property
    def is_by_lot(self) -> bool:
        """Whether the round is a first round in which all scores are equal."""
        return self.round_number == 1 and len(set(self.score_hundredths_by_entry.values())) == 1

    @cached_property
    def side_balance_by_entry(self) -> Counter[EntryId]:
        """The number of rounds as North-South minus those as East-West, by entry."""
        balance_by_entry: Counter[EntryId] = Counter()
        for drawn_round in self.earlier_rounds:
            for pairing in drawn_round.pairings:
                balance_by_entry[pairing.ns] += 1
                balance_by_entry[pairing.ew] -= 1
        return balance_by_entry

    @cached_property
    def sit_out_count_by_entry(self) -> Counter[EntryId]:
        """The number of sit-outs by entry."""
        return Counter(
            id_ for drawn_round in self.earlier_rounds for id_ in drawn_round.sit_out_ids
        )

    @cached_property
    def score_hundredths_by_entry(self) -> dict[EntryId, int]:
        """The scores in hundredths of the entries that have not withdrawn."""
        return {entry.id: entry.cents for entry in self.present_entries}

    @cached_property
    def rank_by_entry(self) -> dict[EntryId, int]:
        """The ranks of the entries that have not withdrawn; equal scores share a rank."""
        scores = sorted((entry.cents for entry in self.present_entries), reverse=True)
        rank_by_score = {
            score: rank for rank, score in reversed(list(enumerate(scores, start=1)))
        }
        return {entry.id: rank_by_score[entry.cents] for entry in self.present_entries}

    @cached_property
    def lowest_score_hundredths(self) -> int:
        """The lowest score in hundredths of the entries that have not withdrawn."""
        return min(entry.cents for entry in self.present_entries)


def get_id_sort_key(id_: EntryId) -> tuple[int, int, str]:
    """Return a sort key that puts numbers first, in numerical order, and then texts."""
    return (0, id_, "") if isinstance(id_, int) else (1, 0, id_)
