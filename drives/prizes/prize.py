"""A prize of a drive: its text, the players who may win it, its measure, and its tie rule."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Annotated, Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from drives.draw.participants import PlayerId, read_player_id
from drives.errors import UnreadableDrive
from drives.scores.ranking import (
    count_contracts_made,
    count_rounds_won,
    find_best_hand,
    find_best_round_score,
    negate_lost_contracts,
    sum_first_half,
    sum_last_half,
)
from drives.scores.sheets import Tally
from server import formatting
from server.json_reader.formats import read_document
from server.json_reader.problems import JsonPath
from server.json_reader.values import (
    build_known_code_reader,
    build_text_reader,
    build_whole_number_reader,
)

ROLE_CODES = ("first", "second")


class PrizeTieRule(StrEnum):
    """The rule for tied winners: they share the prize, they cut cards, or a lot decides."""

    SHARE = "share"
    CUT = "cut"
    LOT = "lot"


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """A player who may win prizes, with the score and the properties that prizes refer to.

    `is_attendance_complete` is true if the player takes part in all rounds. It cannot be
    computed from `tally`, because score cards do not show it.
    """

    number: PlayerId
    tally: Tally
    role: str | None
    club_name: str | None
    fort_name: str | None
    is_present: bool
    round_numbers: Sequence[int]
    is_attendance_complete: bool = True


Measure = Callable[[Candidate, "PrizeLine"], Fraction]
"""A function that returns a candidate's number for a prize; the greatest number wins."""


def _read_prize_field(value: Any, json_path: JsonPath) -> Any:
    field_code = build_text_reader()(value, json_path)
    if field_code in (None, "all", *ROLE_CODES) or field_code.startswith(("club:", "fort:")):
        return field_code
    return json_path.report(_("this must be all, first, second, club:NAME or fort:NAME."))


@dataclass(frozen=True, kw_only=True)
class PrizeLine:
    """One prize of the prize list.

    The field names are keys of the JSON format. `field` is the group of players who may win.
    The best `count` of them win or, if `places` is not empty, those on these places, e.g. 1, 4
    and 8. If players are tied, the measures in `then` are compared, and then the rule `ties`
    decides. `round` is the round that is measured, and `least` the minimum score that counts.
    `won` are the winners of a cut, and `cut_by` the players who took part in it. If a
    correction ties other players with them, all cut again.
    """

    words: str
    measure: Annotated[str, build_known_code_reader(lambda code: find_measure(code))]
    field: Annotated[str, _read_prize_field] = "all"
    count: Annotated[int, build_whole_number_reader(0, 10_000)] = 1
    ties: PrizeTieRule = PrizeTieRule.SHARE
    places: tuple[Annotated[int, build_whole_number_reader(1, 10_000)], ...] = ()
    then: tuple[
        Annotated[str, build_known_code_reader(lambda code: find_measure(code))], ...
    ] = ()
    round: Annotated[int, build_whole_number_reader(0, 10_000)] = 0
    least: Annotated[int, build_whole_number_reader(0, 10_000)] = 0
    won: tuple[Annotated[PlayerId, read_player_id], ...] = ()  # the winners of the cut
    cut_by: tuple[Annotated[PlayerId, read_player_id], ...] = ()  # the players who cut

    @property
    def is_by_lot_only(self) -> bool:
        """Whether the prize depends only on a lot, not on scores."""
        return self.measure in CHANCE_MEASURES


def _measure_total(candidate: Candidate, _prize: PrizeLine) -> Fraction:
    return candidate.tally.total


def _measure_low_total(candidate: Candidate, _prize: PrizeLine) -> Fraction:
    return -candidate.tally.total


def _measure_first_half(candidate: Candidate, _prize: PrizeLine) -> Fraction:
    return sum_first_half(candidate.tally, candidate.round_numbers)


def _measure_last_half(candidate: Candidate, _prize: PrizeLine) -> Fraction:
    return sum_last_half(candidate.tally, candidate.round_numbers)


def _measure_round(candidate: Candidate, prize: PrizeLine) -> Fraction:
    if prize.round:
        return candidate.tally.points_by_round.get(prize.round, Fraction(-(10**9)))
    return find_best_round_score(candidate.tally, candidate.round_numbers)


def _measure_rounds_won(candidate: Candidate, prize: PrizeLine) -> Fraction:
    """Return the rounds won, or the number of rounds with at least a given score."""
    if not prize.least:
        return count_rounds_won(candidate.tally, candidate.round_numbers)
    return Fraction(
        sum(score >= prize.least for score in candidate.tally.points_by_round.values())
    )


def _measure_extra_points(candidate: Candidate, _prize: PrizeLine) -> Fraction:
    return Fraction(candidate.tally.extra_points)


def _measure_stars(candidate: Candidate, _prize: PrizeLine) -> Fraction:
    """Return a sort key: most gold stars, then most red, then fewest green.

    There are fewer than a thousand of each.
    """
    gold_count, red_count, green_count = candidate.tally.stars
    return Fraction(gold_count * 10**6 + red_count * 10**3 - green_count)


def _measure_head_table_wins(candidate: Candidate, _prize: PrizeLine) -> Fraction:
    return Fraction(candidate.tally.stars.gold)


def _measure_last_table_losses(candidate: Candidate, _prize: PrizeLine) -> Fraction:
    return Fraction(candidate.tally.stars.green)


def _measure_contracts_made(candidate: Candidate, _prize: PrizeLine) -> Fraction:
    return count_contracts_made(candidate.tally, candidate.round_numbers)


def _measure_best_hand(candidate: Candidate, _prize: PrizeLine) -> Fraction:
    return find_best_hand(candidate.tally, candidate.round_numbers)


def _measure_fewest_lost_contracts(candidate: Candidate, _prize: PrizeLine) -> Fraction:
    return negate_lost_contracts(candidate.tally, candidate.round_numbers)


def _measure_nothing(_candidate: Candidate, _prize: PrizeLine) -> Fraction:
    return Fraction(0)


LOWEST_TOTAL_MEASURE, ROUND_SCORE_MEASURE, STARS_MEASURE, FEWEST_LOST_CONTRACTS_MEASURE = (
    "total-low",
    "round",
    "stars",
    "fewest-lost",
)
MEASURES: Mapping[str, Measure] = {
    "total-high": _measure_total,
    LOWEST_TOTAL_MEASURE: _measure_low_total,
    "first-half": _measure_first_half,
    "last-half": _measure_last_half,
    ROUND_SCORE_MEASURE: _measure_round,
    "rounds-won": _measure_rounds_won,
    "most-extras": _measure_extra_points,
    STARS_MEASURE: _measure_stars,
    "head-won": _measure_head_table_wins,
    "last-lost": _measure_last_table_losses,
    "contracts-made": _measure_contracts_made,
    "best-hand": _measure_best_hand,
    FEWEST_LOST_CONTRACTS_MEASURE: _measure_fewest_lost_contracts,
    "lucky-number": _measure_nothing,
    "raffle": _measure_nothing,
    "everybody": _measure_nothing,
}
HALF_MEASURES = ("first-half", "last-half")
ROUND_MEASURES = (
    "round",
    "rounds-won",
    "most-extras",
    STARS_MEASURE,
    "head-won",
    "last-lost",
    "contracts-made",
    "best-hand",
    FEWEST_LOST_CONTRACTS_MEASURE,
)
"""The measures that need scores by round, which score cards with a total do not show."""
CHANCE_MEASURES = ("lucky-number", "raffle")
EVERYONE_MEASURE = "everybody"


_POINTS_TEXT = gettext_lazy("%(made)s points")
_MEASURE_TEXTS = {
    "rounds-won": gettext_lazy("rounds won: %(made)s"),
    "most-extras": gettext_lazy("extras: %(made)s"),
    "head-won": gettext_lazy("wins at table 1: %(made)s"),
    "last-lost": gettext_lazy("losses at the last table: %(made)s"),
    "contracts-made": gettext_lazy("contracts made: %(made)s"),
    "best-hand": gettext_lazy("best hand: %(made)s"),
    FEWEST_LOST_CONTRACTS_MEASURE: gettext_lazy("contracts lost: %(made)s"),
}


def find_measure(code: str) -> Measure:
    """Find a measure by its code; raise UnreadableDrive with the known codes."""
    if code not in MEASURES:
        message = _("Measure “%(code)s” not found. Choose from %(codes)s.")
        raise UnreadableDrive(message % {"code": code, "codes": ", ".join(MEASURES)})
    return MEASURES[code]


def parse_prizes(prizes_data: Sequence[Mapping[str, Any]]) -> tuple[PrizeLine, ...]:
    """Read a prize list from a form or the API.

    Raises UnreadableDrive with the number of the invalid prize.
    """
    return tuple(
        read_document(
            dict(prize_data),
            PrizeLine,
            UnreadableDrive,
            path=_("prize %s") % prize_number,
            should_ignore_unknown_keys=True,
        )
        for prize_number, prize_data in enumerate(prizes_data, start=1)
    )


def format_measure(candidate: Candidate, prize: PrizeLine) -> str:
    """Return a player's score by the measure of a prize, as text.

    The measure itself is a sort key, which is not always the score.
    """
    if prize.measure == STARS_MEASURE:
        message = _("%(gold)s gold, %(red)s red, %(green)s green")
        return message % candidate.tally.stars._asdict()
    compute_measure = (
        _measure_total if prize.measure == LOWEST_TOTAL_MEASURE else find_measure(prize.measure)
    )
    if prize.measure == FEWEST_LOST_CONTRACTS_MEASURE:
        return _MEASURE_TEXTS[FEWEST_LOST_CONTRACTS_MEASURE] % {
            "made": candidate.tally.hands.lost_contract_count
        }
    return _MEASURE_TEXTS.get(prize.measure, _POINTS_TEXT) % {
        "made": formatting.format_plain(compute_measure(candidate, prize))
    }


def is_eligible_for_prize(
    candidate: Candidate,
    prize: PrizeLine,
    round_count: int,
    entered_card_parts: Collection[int] = (),
) -> bool:
    """Return whether a player may win a prize.

    For the lowest total, the player must have taken part in all rounds and, if score cards were
    handed in, handed in all `entered_card_parts` of the card. For a prize of one round, the
    player must have a score in this round. For the raffle, the player must be present.
    """
    field_kind, _colon, group_name = prize.field.partition(":")
    is_match_by_kind = {
        "all": True,
        "club": candidate.club_name == group_name,
        "fort": candidate.fort_name == group_name,
    }
    if not is_match_by_kind.get(field_kind, candidate.role == field_kind):
        return False
    if prize.measure == LOWEST_TOTAL_MEASURE:
        if entered_card_parts:
            return (
                candidate.is_attendance_complete
                and candidate.tally.points_by_card_part.keys() >= set(entered_card_parts)
            )
        return len(candidate.tally.points_by_round) + candidate.tally.rest_count >= round_count
    if prize.measure == ROUND_SCORE_MEASURE and prize.round:
        return prize.round in candidate.tally.points_by_round
    return candidate.is_present if prize.measure == "raffle" else True
