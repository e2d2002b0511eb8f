"""Checks the results in an event file, which are tricks or points."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _

from scoring.errors import TermsRefused
from scoring.methods.counting import TRICK_UNIT, build_point_unit
from scoring.services.terms import check_max_points
from server.json_reader.problems import Problems, format_problem

POINT_KEYS = ("ns_points", "ew_points")
ADJUSTED_SCORE_KEYS = ("ns_tricks", "ew_tricks")


def check_scores(
    session_data: Sequence[Any], contest_code: str, max_points: int | None, problems: Problems
) -> None:
    """Report scores in the wrong unit (tricks or points), or above the maximum of points."""
    try:
        check_max_points(contest_code, max_points)
    except TermsRefused as error:
        problems.append(format_problem("event.most_points", str(error)))
        return
    for path, section in _iter_sections(session_data):
        for index, result in enumerate(section.get("results") or []):
            for json_key, fault_text in _find_result_faults(result or {}, max_points):
                problems.append(
                    format_problem(f"{path}.results[{index}].{json_key}", fault_text)
                )
        for index, ruling in enumerate(section.get("rulings") or []):
            for json_key, fault_text in _find_ruling_faults(ruling or {}, max_points):
                problems.append(
                    format_problem(f"{path}.rulings[{index}].{json_key}", fault_text)
                )


def _iter_sections(session_data: Sequence[Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for index, session in enumerate(session_data):
        for section_index, section in enumerate((session or {}).get("sections") or []):
            yield f"sessions[{index}].sections[{section_index}]", section or {}


def _find_result_faults(
    result_data: Mapping[str, Any], max_points: int | None
) -> Iterator[tuple[str, str]]:
    if max_points is None:
        for json_key in POINT_KEYS:
            if json_key in result_data:
                yield json_key, _("Scores can be points only if event.most_points is given.")
        return
    if "ns_tricks" in result_data:
        yield "ns_tricks", _("This event is scored in points. Enter ns_points and ew_points.")
    for json_key in POINT_KEYS:
        if (result_data.get(json_key) or 0) > max_points:
            message = _("A side can win at most %(most)s points on a board.")
            yield json_key, message % {"most": max_points}


def _find_ruling_faults(
    ruling_data: Mapping[str, Any], max_points: int | None
) -> Iterator[tuple[str, str]]:
    scoring_unit = TRICK_UNIT if max_points is None else build_point_unit(max_points)
    if scoring_unit.is_in_points and ruling_data.get("kind") == "revoke":
        yield (
            "kind",
            _(
                "This event is scored in points, not tricks. Enter adjusted points instead "
                "of a revoke."
            ),
        )
    for json_key in ADJUSTED_SCORE_KEYS if ruling_data.get("kind") == "adjusted" else ():
        file_value = ruling_data.get(json_key)
        if (
            file_value is not None
            and not scoring_unit.minimum <= Fraction(file_value) <= scoring_unit.maximum
        ):
            message = _("Enter 0–13 tricks, not %(made)s.")
            if scoring_unit.is_in_points:
                message = _("Enter %(least)s to %(most)s points, not %(made)s.")
            yield (
                json_key,
                message
                % {
                    "made": file_value,
                    "least": scoring_unit.minimum,
                    "most": scoring_unit.maximum,
                },
            )
