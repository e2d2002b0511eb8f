"""The rules by which a ranking sends entries to finals, fixed before play."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _

from boards.whist.errors import WhistError
from tournaments.stages.advancement import (
    Advancement,
    CarryOver,
    TiedRanking,
    assign_finals,
    select_best_of_sections,
)

MAX_FINALS = 8
DEFAULT_CARRIED_SHARE = Fraction(1, 2)


class InvalidRule(WhistError, ValueError):
    """An invalid rule for finals."""

    code = "stage_rule_refused"


class FinalsCriterion(StrEnum):
    """The criterion that sends an entry to its final."""

    RANK = "places"  # the rank in the whole field
    SECTIONS = "sections"  # the rank in the section, for the first final
    STRATA = "strata"  # the entry's stratum


class CarryOverKind(StrEnum):
    """The part of the result of the qualifying stage that counts in the finals."""

    NONE = "none"
    SHARE = "share"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class StageRules:
    """The finals, the criterion for entries, and the carry-over.

    `finals` are names and sizes, the best first. A final with the size None takes all other
    entries. With the criterion SECTIONS, the size of the first final is not used. This final
    takes the first `places_per_section` of every section and the best `other_place_count` of
    the whole field. With the criterion STRATA, each stratum has the final with the same name.
    `share` is a fraction of the plus or minus per board. `cap` is in tricks per board of the
    final.
    """

    finals: tuple[tuple[str, int | None], ...]
    criterion: FinalsCriterion = FinalsCriterion.RANK
    places_per_section: int = 0
    other_place_count: int = 0
    carry_over_kind: CarryOverKind = CarryOverKind.SHARE
    share: Fraction = DEFAULT_CARRIED_SHARE
    cap: Fraction | None = None
    lot_seed: str = ""
    withdrawn_entries: tuple[int, ...] = field(default=())

    def __post_init__(self) -> None:
        final_names = [name for name, _size in self.finals]
        if not 1 <= len(final_names) <= MAX_FINALS:
            raise InvalidRule(_("There can be 1 to %(most)s finals.") % {"most": MAX_FINALS})
        if len({name.casefold() for name in final_names}) < len(final_names) or not all(
            final_names
        ):
            raise InvalidRule(_("Give each final its own name."))
        if any(size is not None and size < 2 for _name, size in self.finals):
            raise InvalidRule(_("Each final needs at least two qualifiers."))
        self._check_sizes()
        if not 0 <= self.share <= 1:
            raise InvalidRule(_("Enter a carry-forward of 0–100%."))
        if self.cap is not None and self.cap <= 0:
            raise InvalidRule(_("Enter a carry-forward limit above 0 tricks per board."))

    def _check_sizes(self) -> None:
        sizes = [size for _name, size in self.finals]
        if self.criterion is FinalsCriterion.SECTIONS:
            if self.places_per_section < 1:
                raise InvalidRule(_("Enter how many from each section go to the first final."))
            sizes = sizes[1:]
        if self.criterion is not FinalsCriterion.STRATA and None in sizes[:-1]:
            raise InvalidRule(
                _("Only the last final may be left empty. Enter a number for the others.")
            )

    @property
    def carry_over(self) -> CarryOver | None:
        """The carry-over, or None if the finals start from zero."""
        if self.carry_over_kind is CarryOverKind.NONE:
            return None
        return CarryOver(
            self.share, self.cap, is_unscaled=self.carry_over_kind is CarryOverKind.ALL
        )

    def as_data(self) -> dict[str, Any]:
        """Return the rules as JSON data, which the database stores."""
        return {
            "finals": [[name, size] for name, size in self.finals],
            "by": str(self.criterion),
            "each": self.places_per_section,
            "others": self.other_place_count,
            "carry": str(self.carry_over_kind),
            "share": str(self.share),
            "cap": None if self.cap is None else str(self.cap),
            "lot": self.lot_seed,
            "withdrawn": list(self.withdrawn_entries),
        }


def read_rules(rule_data: Mapping[str, Any]) -> StageRules:
    """Read the rules from stored JSON data; raise InvalidRule if they are invalid."""
    cap = rule_data.get("cap")
    return StageRules(
        finals=tuple((name, size) for name, size in rule_data["finals"]),
        criterion=FinalsCriterion(rule_data.get("by", FinalsCriterion.RANK)),
        places_per_section=rule_data.get("each", 0),
        other_place_count=rule_data.get("others", 0),
        carry_over_kind=CarryOverKind(rule_data.get("carry", CarryOverKind.SHARE)),
        share=Fraction(rule_data.get("share", DEFAULT_CARRIED_SHARE)),
        cap=None if cap is None else Fraction(cap),
        lot_seed=rule_data.get("lot", ""),
        withdrawn_entries=tuple(rule_data.get("withdrawn", ())),
    )


def assign_to_finals(
    rule: StageRules,
    ranking: TiedRanking,
    *,
    entry_ids_by_section: Sequence[Sequence[int]] = (),
    stratum_by_entry: Mapping[int, str] | None = None,
) -> list[Advancement]:
    """Return the entries that a rule sends to the finals, in ranking order.

    `entry_ids_by_section` has each section's entry ids in any order. `stratum_by_entry` has the
    stratum of each entry id. Entries without a final are left out.
    """
    if rule.criterion is FinalsCriterion.STRATA:
        return _assign_by_strata(rule, ranking, stratum_by_entry or {})
    if rule.criterion is FinalsCriterion.RANK:
        return assign_finals(ranking, rule.finals, rule.lot_seed, rule.withdrawn_entries)

    def sort_entries(ranked_ids: Sequence[int]) -> list[int]:
        section_rankings = [
            [id_ for id_ in ranked_ids if id_ in section_ids]
            for section_ids in map(set, entry_ids_by_section)
        ]
        best_entries = select_best_of_sections(
            section_rankings, rule.places_per_section, rule.other_place_count, ranked_ids
        )
        return [*best_entries, *(id_ for id_ in ranked_ids if id_ not in best_entries)]

    all_entries = [id_ for tied_ids in ranking for id_ in tied_ids]
    section_rankings = [
        [id_ for id_ in all_entries if id_ in section_ids]
        for section_ids in map(set, entry_ids_by_section)
    ]
    first_final_size = len(
        select_best_of_sections(
            section_rankings, rule.places_per_section, rule.other_place_count, all_entries
        )
    )
    final_names_and_sizes = [(rule.finals[0][0], first_final_size), *rule.finals[1:]]
    return assign_finals(
        ranking,
        final_names_and_sizes,
        rule.lot_seed,
        rule.withdrawn_entries,
        sort_entries=sort_entries,
    )


def _assign_by_strata(
    rule: StageRules, ranking: TiedRanking, stratum_by_entry: Mapping[int, str]
) -> list[Advancement]:
    final_names = {name for name, _size in rule.finals}
    advancements, rank = [], 1
    for tied_entries in ranking:
        advancements += [
            Advancement(id_, stratum_by_entry[id_], rank)
            for id_ in sorted(tied_entries)
            if id_ not in rule.withdrawn_entries and stratum_by_entry.get(id_) in final_names
        ]
        rank += len(tied_entries)
    return advancements


def describe_carry_over(carry_over: CarryOver | None) -> str:
    """Return a sentence about the carry-over for players."""
    if carry_over is None:
        return _("No carry-forward.")
    if carry_over.is_unscaled:
        return _("Carry-forward: all plus/minus from the qualifying stage.")
    percent = carry_over.share * 100
    placeholders = {"percent": str(percent) if percent.denominator > 1 else str(int(percent))}
    message = _(
        "Carry-forward: %(percent)s%% of the qualifying plus/minus "
        "per board, times the boards of the final."
    )
    if carry_over.max_tricks_per_board is not None:
        placeholders["cap"] = str(carry_over.max_tricks_per_board)
        message = _(
            "Carry-forward: %(percent)s%% of the qualifying plus/minus "
            "per board, times the boards of the final. Limit %(cap)s "
            "tricks per board."
        )
    return message % placeholders
