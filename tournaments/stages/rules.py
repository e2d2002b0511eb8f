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
    Ranked,
    assign_finals,
    select_best_of_sections,
)

MAX_FINALS = 8
DEFAULT_SHARE = Fraction(1, 2)


class InvalidRule(WhistError, ValueError):
    """An invalid rule for finals."""

    code = "stage_rule_refused"


class FinalsCriterion(StrEnum):
    """The criterion that sends an entry to its final."""

    PLACES = "places"
    SECTIONS = "sections"
    STRATA = "strata"


class CarryOverKind(StrEnum):
    """The part of the qualifying that counts in the finals."""

    NONE = "none"
    SHARE = "share"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class StageRules:
    """The finals, the criterion for entries, and the carry-over.

    `finals` are names and sizes, the best first; None takes all the rest. By sections the first
    final takes the first `each` of every section and the best `others` of the whole field, and
    has no size of its own. By strata every stratum has the final of its place in the list.
    `share` is a part of the plus or minus a board; `cap` is in tricks a board of the final.
    """

    finals: tuple[tuple[str, int | None], ...]
    by: FinalsCriterion = FinalsCriterion.PLACES
    each: int = 0
    others: int = 0
    carry: CarryOverKind = CarryOverKind.SHARE
    share: Fraction = DEFAULT_SHARE
    cap: Fraction | None = None
    lot: str = ""
    withdrawn: tuple[int, ...] = field(default=())

    def __post_init__(self) -> None:
        names = [name for name, _size in self.finals]
        if not 1 <= len(names) <= MAX_FINALS:
            raise InvalidRule(_("There can be 1 to %(most)s finals.") % {"most": MAX_FINALS})
        if len({name.casefold() for name in names}) < len(names) or not all(names):
            raise InvalidRule(_("Give each final its own name."))
        if any(size is not None and size < 2 for _name, size in self.finals):
            raise InvalidRule(_("Each final needs 2 or more entries."))
        self._check_sizes()
        if not 0 <= self.share <= 1:
            raise InvalidRule(_("Enter a carry-forward of 0–100%."))
        if self.cap is not None and self.cap <= 0:
            raise InvalidRule(_("Enter a carry-forward limit above 0 tricks per board."))

    def _check_sizes(self) -> None:
        sizes = [size for _name, size in self.finals]
        if self.by is FinalsCriterion.SECTIONS:
            if self.each < 1:
                raise InvalidRule(_("Enter how many of each section go to the first final."))
            sizes = sizes[1:]
        if self.by is not FinalsCriterion.STRATA and None in sizes[:-1]:
            raise InvalidRule(
                _("Only the last final may be left empty. Enter a number for the others.")
            )

    @property
    def carry_over(self) -> CarryOver | None:
        """The carry-over; None for nothing."""
        if self.carry is CarryOverKind.NONE:
            return None
        return CarryOver(self.share, self.cap, whole=self.carry is CarryOverKind.ALL)

    def as_data(self) -> dict[str, Any]:
        """Return the data that the row stores."""
        return {
            "finals": [[name, size] for name, size in self.finals],
            "by": str(self.by),
            "each": self.each,
            "others": self.others,
            "carry": str(self.carry),
            "share": str(self.share),
            "cap": None if self.cap is None else str(self.cap),
            "lot": self.lot,
            "withdrawn": list(self.withdrawn),
        }


def read_rules(data: Mapping[str, Any]) -> StageRules:
    """Read a rule from a row's data. Raises RuleRefused for an invalid one."""
    cap = data.get("cap")
    return StageRules(
        finals=tuple((name, size) for name, size in data["finals"]),
        by=FinalsCriterion(data.get("by", FinalsCriterion.PLACES)),
        each=data.get("each", 0),
        others=data.get("others", 0),
        carry=CarryOverKind(data.get("carry", CarryOverKind.SHARE)),
        share=Fraction(data.get("share", DEFAULT_SHARE)),
        cap=None if cap is None else Fraction(cap),
        lot=data.get("lot", ""),
        withdrawn=tuple(data.get("withdrawn", ())),
    )


def assign_to_finals(
    rule: StageRules,
    ranking: Ranked,
    *,
    sections: Sequence[Sequence[int]] = (),
    strata: Mapping[int, str] | None = None,
) -> list[Advancement]:
    """Return which entries a rule sends to which final, in ranking order.

    `sections` lists each section's entry ids in any order; `strata` maps entry ids to strata.
    Entries without a final are left out.
    """
    if rule.by is FinalsCriterion.STRATA:
        return _assign_by_strata(rule, ranking, strata or {})
    if rule.by is FinalsCriterion.PLACES:
        return assign_finals(ranking, rule.finals, rule.lot, rule.withdrawn)

    def ordering(order: Sequence[int]) -> list[int]:
        section_rankings = [
            [id_ for id_ in order if id_ in section] for section in map(set, sections)
        ]
        first = select_best_of_sections(section_rankings, rule.each, rule.others, order)
        return [*first, *(id_ for id_ in order if id_ not in first)]

    all_entries = [id_ for tied in ranking for id_ in tied]
    section_rankings = [
        [id_ for id_ in all_entries if id_ in section] for section in map(set, sections)
    ]
    size = len(select_best_of_sections(section_rankings, rule.each, rule.others, all_entries))
    sizes = [(rule.finals[0][0], size), *rule.finals[1:]]
    return assign_finals(ranking, sizes, rule.lot, rule.withdrawn, ordering=ordering)


def _assign_by_strata(
    rule: StageRules, ranking: Ranked, strata: Mapping[int, str]
) -> list[Advancement]:
    names = {name for name, _size in rule.finals}
    advancements, place = [], 1
    for tied in ranking:
        advancements += [
            Advancement(id_, strata[id_], place)
            for id_ in sorted(tied)
            if id_ not in rule.withdrawn and strata.get(id_) in names
        ]
        place += len(tied)
    return advancements


def describe_carry_over(carry: CarryOver | None) -> str:
    """Describe the carry-over."""
    if carry is None:
        return _("No carry-forward.")
    if carry.whole:
        return _("Carry-forward: all plus/minus from the qualifying stage.")
    percent = carry.share * 100
    placeholders = {"percent": str(percent) if percent.denominator > 1 else str(int(percent))}
    text = _(
        "Carry-forward: %(percent)s%% of the qualifying plus/minus "
        "per board, times the boards of the final."
    )
    if carry.cap is not None:
        placeholders["cap"] = str(carry.cap)
        text = _(
            "Carry-forward: %(percent)s%% of the qualifying plus/minus "
            "per board, times the boards of the final. Limit %(cap)s "
            "tricks per board."
        )
    return text % placeholders
