"""The `whist-grades/1` file format: results of evenings and the grades computed from them."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Annotated, Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from clubs.file_fields import Day, UnusableFile, build_line_reader
from seasons.grades.rating import (
    BoardPlay,
    ClubRatings,
    GradedEvening,
    GradeModelConstants,
    grade_evening,
)
from seasons.grades.rating.evenings import make_partnership
from server.json_reader.formats import build_row_reader, read_document, report_duplicates
from server.json_reader.problems import JsonPath, can_be_printed, format_value
from server.json_reader.values import parse_fraction

FORMAT = "whist-grades/1"
MAX_TRICKS = 13


def _read_board(value: Any, json_path: JsonPath) -> Any:
    """Parse a board's number or name."""
    if isinstance(value, int | str) and not isinstance(value, bool):
        return str(value)
    return json_path.report(_("%(shown)s isn’t a board."), shown=format_value(value))


def _read_side(value: Any, json_path: JsonPath) -> Any:
    """Parse the names of two different people."""
    names = value if isinstance(value, list) else []
    if len(names) != 2 or not all(isinstance(name, str) and name.strip() for name in names):
        return json_path.report(_("Enter a list of two names."))
    for name in names:
        if not can_be_printed(name):
            message = _("%(shown)s contains a character that can’t be printed.")
            return json_path.report(message, shown=format_value(name))
    if names[0] == names[1]:
        return json_path.report(_("A pair needs two different people."))
    return make_partnership(names)


def _read_tricks(value: Any, json_path: JsonPath) -> Any:
    tricks = parse_fraction(value)
    if tricks is not None and 0 <= tricks <= MAX_TRICKS:
        return float(tricks)
    message = _("%(shown)s isn’t a number of tricks from 0 to 13.")
    return json_path.report(message, shown=format_value(value))


_read_play_row = build_row_reader(
    *(_read_board, _read_side, _read_side, _read_tricks),
    description=gettext_noop("A play is [board, [two names], [two names], N-S tricks]."),
)


def _read_play(value: Any, json_path: JsonPath) -> Any:
    problem_count = len(json_path.problems)
    play_values = _read_play_row(value, json_path)
    if len(json_path.problems) > problem_count:
        return None
    play = BoardPlay(*play_values)
    if set(play.ns_partnership) & set(play.ew_partnership):
        return json_path.report(_("The same person is on both sides."))
    return play


def _read_constant(value: Any, json_path: JsonPath) -> Any:
    fraction = parse_fraction(value)
    if fraction is not None and 0 <= fraction <= MAX_TRICKS:
        return float(fraction)
    message = _("Enter a number of tricks from 0 to %(most)s. s0 must be more than 0.")
    return json_path.report(message, most=MAX_TRICKS)


def _read_spread(value: Any, json_path: JsonPath) -> Any:
    """Parse the constant s0, which must be more than 0."""
    return _read_constant(value if parse_fraction(value) else None, json_path)


@dataclass(frozen=True, slots=True)
class GradesFileConstants(GradeModelConstants):
    """The constants in a grades file; constants that are missing have default values."""

    s0: Annotated[float, _read_spread] = GradeModelConstants().s0
    tau: Annotated[float, _read_constant] = GradeModelConstants().tau
    q: Annotated[float, _read_constant] = GradeModelConstants().q


@dataclass(frozen=True, slots=True)
class GradesFileEvening:
    """An evening in a grades file, with its results."""

    event: Annotated[str, build_line_reader(200)]
    date: Day
    plays: tuple[Annotated[BoardPlay, _read_play], ...]


@dataclass(frozen=True, slots=True)
class GradesFile:
    """The content of a grades file: the constants and the evenings."""

    evenings: tuple[GradesFileEvening, ...]
    constants: GradesFileConstants = GradesFileConstants()

    def validate(self, json_path: JsonPath) -> None:
        """Report evenings that occur twice in the file."""
        evenings = json_path.iter_items("evenings", self.evenings)
        report_duplicates(
            (item_path.get_key_path("event"), evening.event) for item_path, evening in evenings
        )


def read_grades(
    document: bytes | str | Mapping[str, Any],
) -> tuple[GradeModelConstants, list[GradedEvening]]:
    """Parse a grades file and return its constants and evenings.

    Raises UnusableFile with all problems and their paths in the file.
    """
    grades_file = read_document(document, GradesFile, UnusableFile, format=FORMAT)
    evenings = [
        GradedEvening(evening.event, evening.date.toordinal(), evening.plays)
        for evening in grades_file.evenings
    ]
    return grades_file.constants, sorted(
        evenings, key=lambda evening: (evening.day_number, evening.evening_key)
    )


def build_grades_data(
    constants: GradeModelConstants,
    evenings: list[GradedEvening],
    *,
    should_include_each_evening: bool,
) -> dict[str, Any]:
    """Compute the grades of evenings, and return the content of a grades file.

    With `should_include_each_evening`, the file has the grades after each evening, otherwise
    only those after the last one.
    """
    club_ratings, evenings_data = ClubRatings(constants), []
    for index, evening in enumerate(evenings):
        grade_evening(club_ratings, evening)
        if should_include_each_evening or index == len(evenings) - 1:
            evenings_data.append(
                {
                    "event": evening.evening_key,
                    "sigma2": club_ratings.noise_variance,
                    "players": _build_player_data(club_ratings),
                }
            )
    return {"evenings": evenings_data}


def _build_player_data(club_ratings: ClubRatings) -> dict[str, dict[str, Any]]:
    index_by_person = {
        person_key: index for index, person_key in enumerate(club_ratings.person_keys)
    }
    players_data = {}
    for person_key in sorted(club_ratings.percentage_grades_by_person):
        if person_key in index_by_person:
            index = index_by_person[person_key]
            mean, variance = club_ratings.mean[index], club_ratings.covariance[index][index]
        else:
            mean, variance = club_ratings.inactive_person_strengths[person_key]
        players_data[person_key] = {
            "mean": mean,
            "sd": sqrt(max(variance, 0.0)),
            "boards": club_ratings.count_boards(person_key),
            "ngs": club_ratings.percentage_grades_by_person[person_key],
        }
    return players_data
