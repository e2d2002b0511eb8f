"""The rule of a ladder: its settings and the validation of their combinations."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _

from seasons.ladders.rules.evenings import ALL_CONTESTS, DEFAULT_CONTESTS
from server.json_reader.values import parse_fraction

PLAYERS, PAIRS, TEAMS = "players", "pairs", "teams"
RANKED_SUBJECTS = (PLAYERS, PAIRS, TEAMS)
MEASURE_PLACE, MEASURE_BEATEN, MEASURE_PLUS, MEASURE_PLUS_PER_BOARD = (
    "place",
    "beaten",
    "plus",
    "plus_a_board",
)
MEASURE_PERCENT, MEASURE_TRICKS, MEASURE_SCORE, MEASURE_ATTENDANCE = (
    "percent",
    "tricks",
    "score",
    "attendance",
)
MEASURES = (
    MEASURE_PLACE,
    MEASURE_BEATEN,
    MEASURE_PLUS,
    MEASURE_PLUS_PER_BOARD,
    MEASURE_PERCENT,
    MEASURE_TRICKS,
    MEASURE_SCORE,
    MEASURE_ATTENDANCE,
)
SIGNED_MEASURES = (MEASURE_PLUS, MEASURE_PLUS_PER_BOARD, MEASURE_SCORE)
"""The measures whose values can be negative.

With these measures, absence (value 0) can be better than a bad evening.
"""
COMBINE_SUM, COMBINE_MEAN = "sum", "mean"
COMBINATIONS = (COMBINE_SUM, COMBINE_MEAN)
"""The ways to compute a total from evening values."""
TIE_BREAK_BEST_EVENINGS, TIE_BREAK_EVENINGS_PLAYED, TIE_BREAK_LATEST_EVENING = (
    "singles",
    "played",
    "latest",
)
TIE_BREAKS = (TIE_BREAK_BEST_EVENINGS, TIE_BREAK_EVENINGS_PLAYED, TIE_BREAK_LATEST_EVENING)
"""The tie-breaks: best single evenings, number of evenings played, latest evening."""
HALF = Fraction(1, 2)
MAX_SETTING_VALUE = 10_000
RULE_KEYS = (
    *("who", "measure", "points", "combine", "best", "drop_from", "drop_every", "minimum"),
    *("members_only", "close_ranks", "across", "least_part", "ties", "contests", "handicap"),
    "mix_games",
)
"""The keys of a ladder's rule in season files and in the database."""


@dataclass(frozen=True, slots=True)
class RuleFault:
    """The name of an invalid setting, and the reason why it is invalid."""

    setting: str
    message: str


@dataclass(frozen=True, slots=True)
class LadderRule:
    """The settings by which a ladder combines evenings; `read_rule` validates them.

    Most fields have the names of the stored keys.
    """

    who: str  # players, pairs or teams
    measure: str
    combine: str = COMBINE_SUM
    points: tuple[Fraction, ...] = ()  # for each place, the first place first
    best_evening_count: int | None = None  # the number of best evenings that count
    drop_from: int | None = None  # no value is dropped up to this number of evenings
    drop_every: int | None = None  # one value is dropped per `drop_every` further evenings
    stored_minimum: int | None = None  # the stored minimum of evenings; None: the default
    is_for_members_only: bool = False  # whether only members are ranked
    should_close_ranks: bool = False  # whether places are computed without visitors
    should_combine_fields: bool = False  # whether all fields of an evening are ranked together
    least_part: Fraction = HALF  # the minimum share of an evening's boards
    ties: tuple[str, ...] = ()  # the tie-breaks, in order
    contests: tuple[str, ...] = DEFAULT_CONTESTS
    # by player's primary key
    handicaps_by_person: Mapping[int, Fraction] = field(default_factory=dict)
    season_handicap_unit: str = ""  # the unit of the season's handicap; "" if not used
    should_mix_games: bool = False  # whether points of different games are added up

    @property
    def has_handicap(self) -> bool:
        """Whether the ladder adds handicaps to scores: its own, or the season's."""
        return bool(self.handicaps_by_person or self.season_handicap_unit)

    @property
    def minimum(self) -> int:
        """The number of evenings that a person must play to be ranked.

        If values can be negative and the best k evenings count, the default is k. With a lower
        minimum, a missing evening would count 0, which is better than a negative value.
        """
        if self.stored_minimum is not None:
            return self.stored_minimum
        return (
            self.best_evening_count
            if self.best_evening_count is not None and self.measure in SIGNED_MEASURES
            else 1
        )

    def get_counted_evening_count(self, evening_count: int) -> int:
        """Return the number of evenings that count for a person who played `evening_count`."""
        if self.best_evening_count is not None:
            return min(self.best_evening_count, evening_count)
        if self.drop_from is None or self.drop_every is None:
            return evening_count
        return evening_count - max(0, (evening_count - self.drop_from) // self.drop_every)


def serialize_rule(rule_data: Mapping[str, Any]) -> dict[str, Any]:
    """Serialize a rule as JSON data: fractions as exact text, without None values."""
    given_values = {key: value for key, value in rule_data.items() if value is not None}
    if "points" in given_values:
        given_values["points"] = [
            str(parse_fraction(point)) for point in given_values["points"]
        ]
    if "least_part" in given_values:
        given_values["least_part"] = str(parse_fraction(given_values["least_part"]))
    return given_values


def read_rule(
    rule_data: Mapping[str, Any],
    handicaps_by_person: Mapping[int, Fraction] | None = None,
    season_unit: str = "",
) -> LadderRule | list[RuleFault]:
    """Create a rule from stored data, or return all faults of the data.

    Missing keys and null values get defaults, except the required `who`, `measure` and
    `combine`. `season_unit` is the unit of the season's handicap, "" if it has none.
    """
    given_values = {key: value for key, value in rule_data.items() if value is not None}
    faults = [
        *_find_faults(given_values, bool(handicaps_by_person)),
        *_check_season_handicap(given_values, bool(handicaps_by_person), season_unit),
    ]
    if faults:
        return faults
    points = tuple(
        point
        for point_text in given_values.get("points", ())
        if (point := parse_fraction(point_text)) is not None
    )
    least_part = parse_fraction(given_values.get("least_part", HALF))
    return LadderRule(
        who=given_values["who"],
        measure=given_values["measure"],
        combine=given_values["combine"],
        points=points,
        best_evening_count=given_values.get("best"),
        drop_from=given_values.get("drop_from"),
        drop_every=given_values.get("drop_every"),
        stored_minimum=given_values.get("minimum"),
        is_for_members_only=given_values.get("members_only", False),
        should_close_ranks=given_values.get("close_ranks", False),
        should_combine_fields=given_values.get("across", False),
        least_part=HALF if least_part is None else least_part,
        ties=tuple(given_values.get("ties", ())),
        contests=tuple(given_values.get("contests", DEFAULT_CONTESTS)),
        handicaps_by_person=dict(handicaps_by_person or {}),
        season_handicap_unit=season_unit if given_values.get("handicap") else "",
        should_mix_games=given_values.get("mix_games", False),
    )


def _find_faults(given_values: Mapping[str, Any], has_handicaps: bool) -> Iterator[RuleFault]:
    for setting, choices in (
        ("who", RANKED_SUBJECTS),
        ("measure", MEASURES),
        ("combine", COMBINATIONS),
    ):
        yield from _check_choice(given_values, setting, choices)
    for setting in ("best", "drop_from", "drop_every"):
        yield from _check_integer(given_values, setting, 1)
    yield from _check_integer(given_values, "minimum", 0)
    for setting in ("members_only", "close_ranks", "across", "handicap", "mix_games"):
        if not isinstance(given_values.get(setting, False), bool):
            yield RuleFault(setting, _("Enter true or false."))
    for setting, allowed_values in (("ties", TIE_BREAKS), ("contests", ALL_CONTESTS)):
        yield from _check_choices(given_values, setting, allowed_values)
    yield from _check_points(given_values)
    yield from _check_least_part(given_values)
    yield from _check_combinations(given_values, has_handicaps)


def _check_choice(
    given_values: Mapping[str, Any], setting: str, choices: Sequence[str]
) -> Iterator[RuleFault]:
    if setting not in given_values:
        yield RuleFault(setting, _("This is missing."))
    elif given_values[setting] not in choices:
        message = _("%(written)s isn’t known. Choose one of these: %(choices)s.")
        yield RuleFault(
            setting,
            message
            % {"written": _format_value(given_values[setting]), "choices": ", ".join(choices)},
        )


def _check_integer(
    given_values: Mapping[str, Any], setting: str, min_value: int
) -> Iterator[RuleFault]:
    number = given_values.get(setting, min_value)
    if (
        isinstance(number, bool)
        or not isinstance(number, int)
        or not min_value <= number <= MAX_SETTING_VALUE
    ):
        message = _("%(written)s isn’t possible. Enter a whole number of at least %(least)s.")
        yield RuleFault(
            setting, message % {"written": _format_value(number), "least": min_value}
        )


def _check_choices(
    given_values: Mapping[str, Any], setting: str, allowed_values: Sequence[str]
) -> Iterator[RuleFault]:
    chosen_values = given_values.get(setting, ())
    if not isinstance(chosen_values, list | tuple) or any(
        chosen_value not in allowed_values for chosen_value in chosen_values
    ):
        message = _("Enter a list of these: %(names)s.")
        yield RuleFault(setting, message % {"names": ", ".join(allowed_values)})
    elif len(set(chosen_values)) < len(chosen_values):
        yield RuleFault(setting, _("The list has a duplicate."))


def _check_points(given_values: Mapping[str, Any]) -> Iterator[RuleFault]:
    """Yield the faults of the points for each place.

    The points must not increase from one place to the next. Places after the last one listed
    score 0.
    """
    points_list = given_values.get("points")
    if points_list is None:
        if given_values.get("measure") == MEASURE_PLACE:
            yield RuleFault("points", _("Enter a list of points for points by place."))
        return
    numbers = (
        [parse_fraction(points) for points in points_list]
        if isinstance(points_list, list | tuple)
        else [None]
    )
    parsed_numbers = [number for number in numbers if number is not None]
    if not numbers or len(parsed_numbers) < len(numbers):
        yield RuleFault(
            "points", _("Enter a list of numbers, with the points for first place first.")
        )
    elif any(
        previous_points < next_points
        for previous_points, next_points in zip(
            parsed_numbers, [*parsed_numbers[1:], Fraction()], strict=True
        )
    ):
        yield RuleFault(
            "points",
            _("A lower place can’t have more points. Places not listed get 0."),
        )


def _check_least_part(given_values: Mapping[str, Any]) -> Iterator[RuleFault]:
    least_part = parse_fraction(given_values.get("least_part", HALF))
    if least_part is None or not 0 <= least_part <= 1:
        yield RuleFault("least_part", _("Enter a share from 0 to 1, e.g. 1/2."))


def _check_combinations(
    given_values: Mapping[str, Any], has_handicaps: bool
) -> Iterator[RuleFault]:
    drop_settings = [
        setting for setting in ("drop_from", "drop_every") if setting in given_values
    ]
    if "best" in given_values and drop_settings:
        message = _("Choose one: the best evenings count, or the lowest are dropped.")
        yield RuleFault("best", message)
    if len(drop_settings) == 1:
        (missing_setting,) = {"drop_from", "drop_every"} - set(drop_settings)
        message = _("Enter both numbers of evenings for the drop rule.")
        yield RuleFault(missing_setting, message)
    if has_handicaps and given_values.get("measure") == MEASURE_ATTENDANCE:
        yield RuleFault("handicaps", _("Attendance can’t use a handicap."))
    if has_handicaps and given_values.get("who") == TEAMS:
        yield RuleFault("handicaps", _("A team ladder can’t use a handicap."))


def _check_season_handicap(
    given_values: Mapping[str, Any], has_handicaps: bool, season_unit: str
) -> Iterator[RuleFault]:
    """Yield the faults of a rule that uses the season's handicap.

    The season's handicap must fit the measure. The ladder must not have its own handicaps.
    """
    if given_values.get("handicap") is not True:
        return
    if has_handicaps:
        message = _("Choose either the season’s handicap or the ladder’s own.")
        yield RuleFault("handicap", message)
    elif not season_unit:
        yield RuleFault("handicap", _("The season has no handicap."))
    elif given_values.get("measure") == MEASURE_ATTENDANCE or given_values.get("who") == TEAMS:
        yield RuleFault("handicap", _("Attendance and team ladders can’t use a handicap."))
    elif (
        given_values.get("measure") in _HANDICAP_UNITS
        and season_unit != _HANDICAP_UNITS[given_values["measure"]]
    ):
        message = _(
            "The season’s handicap is in tricks per board, but this ladder uses percentages."
        )
        if season_unit == MEASURE_PERCENT:
            message = _("The season’s handicap is a percentage, but this ladder is in tricks.")
        yield RuleFault("handicap", message)


_HANDICAP_UNITS = {
    MEASURE_PERCENT: MEASURE_PERCENT,
    **dict.fromkeys(
        (MEASURE_PLUS, MEASURE_PLUS_PER_BOARD, MEASURE_TRICKS, MEASURE_SCORE), MEASURE_PLUS
    ),
}
"""The unit that the season's handicap must have for each measure.

Measures based on places are not listed, because they accept both units.
"""


def _format_value(value: object) -> str:
    text = str(value)
    return f"“{text[:40]}{'…' if text[40:] else ''}”"
