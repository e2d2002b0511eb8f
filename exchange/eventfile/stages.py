"""Reads and validates strata, prizes, brackets and finals in event files."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _

from boards.whist import WhistError
from exchange.eventfile.rulings import parse_datetime
from exchange.eventfile.schema import is_complete
from exchange.eventfile.values import (
    EventFile,
    EventFileFinal,
    EventFilePrizesAndStages,
    EventFileSession,
    EventFileStage,
)
from scoring.services.knockouts import check_bracket, describe_wrong_margins
from scoring.services.strata_and_prizes import (
    MAX_PRIZES,
    validate_prize,
    validate_profile,
    validate_strata,
)
from scoring.standings_engine.knockouts import format_match_name
from server.json_reader.problems import Problems, format_problem
from tournaments.stages.brackets import build_bracket
from tournaments.stages.matches import MatchScore
from tournaments.stages.rules import FinalsCriterion, StageRules, read_rules
from tournaments.swiss.plan import SwissPlan

PROFILE_KEYS = ("seed", "ratings", "stratum", "tags")
STAGE_RULE_KEYS = ("by", "each", "others", "carry", "share", "cap", "lot", "withdrawn")
EventReader = Callable[[Any, str, Problems], EventFile | None]
"""A function that reads the event of a final within an event file."""


def read_prizes_and_stages(
    file_data: Mapping[str, Any],
    entry_numbers: set[int | None],
    read_event: EventReader,
    problems: Problems,
) -> EventFilePrizesAndStages:
    """Read an event's strata, prizes, bracket and finals.

    `read_event` reads the event of a final.
    """
    event_data = file_data.get("event") or {}
    strata_values = _read_strata(event_data.get("strata"), problems)
    stratum_names = [name for name, _minimum_rating in (strata_values or {}).get("lines", ())]
    return EventFilePrizesAndStages(
        strata_values=strata_values,
        prizes=_read_prizes(event_data.get("prizes") or [], problems),
        knockout_values=_read_knockout(event_data, entry_numbers, problems),
        stage=_read_stage(event_data, entry_numbers, stratum_names, read_event, problems),
        profiles_by_entry=_read_profiles(file_data.get("entries") or [], problems),
    )


def check_bracket_draws(
    prizes_and_stages: EventFilePrizesAndStages,
    sessions: Sequence[EventFileSession | None],
    problems: Problems,
) -> None:
    """Check that a section's drawn rounds match the bracket's rounds and segments.

    Three-way rounds, which are played in halves, are valid only in a three-way bracket.
    """
    for session_index, session in enumerate(sessions):
        for index, section in enumerate(session.sections if session else ()):
            path, plan = f"sessions[{session_index}].sections[{index}].draw", section.swiss_plan
            if plan is not None and plan.knockout:
                _check_bracket_draw(plan, prizes_and_stages.knockout_values, path, problems)


def _check_bracket_draw(
    plan: SwissPlan, knockout_values: Mapping[str, Any] | None, path: str, problems: Problems
) -> None:
    if plan.three_way != bool(knockout_values and knockout_values["three_way"]):
        message = _("Enter three_way in both the bracket and its draws, or in neither.")
        problems.append(format_problem(f"{path}.three_way", message))
    if knockout_values is None:
        return
    segment_count = knockout_values["segments"]
    round_count = (
        len(
            build_bracket(
                len(knockout_values["seeds"]),
                has_three_way_matches=knockout_values["three_way"],
            )
        )
        * segment_count
    )
    if plan.segments != segment_count:
        message = _("Matches in this bracket have %(segments)s segments. Enter %(segments)s.")
        problems.append(format_problem(f"{path}.segments", message, segments=segment_count))
    elif plan.rounds != round_count:
        message = _("The bracket has %(rounds)s rounds at the tables. Enter %(rounds)s.")
        problems.append(format_problem(f"{path}.rounds", message, rounds=round_count))


def _read_strata(strata_data: Any, problems: Problems) -> dict[str, Any] | None:
    if not is_complete(strata_data, "lines"):
        return None
    rule = strata_data.get("rule", "hand")
    stratum_lines = [
        (line_data["name"], line_data.get("least", "0")) for line_data in strata_data["lines"]
    ]
    try:
        return {"rule": rule, "lines": validate_strata(stratum_lines, rule)}
    except WhistError as problem:
        problems.append(format_problem("event.strata", str(problem)))
        return None


def _read_prizes(
    prize_data: Sequence[Any], problems: Problems
) -> tuple[Mapping[str, Any], ...]:
    prizes = []
    if len(prize_data) > MAX_PRIZES:
        message = _("An event can have at most %(most)s prizes.")
        problems.append(format_problem("event.prizes", message, most=MAX_PRIZES))
    for index, prize in enumerate(prize_data):
        if not is_complete(prize, "name"):
            continue
        path = f"event.prizes[{index}]"
        prize_values = dict(prize) | {"listed": prize.get("list", "all")}
        prize_values["value"] = prize.get("cents", 0)
        if prize.get("kind", "honour") == "honour" and prize_values["value"]:
            problems.append(
                format_problem(
                    f"{path}.cents", _("An honour has no prize money. Remove the amount.")
                )
            )
        try:
            prizes.append(validate_prize(prize_values))
        except WhistError as problem:
            problems.append(format_problem(path, str(problem)))
    return tuple(prizes)


def _read_profiles(
    entry_data: Sequence[Any], problems: Problems
) -> dict[int, Mapping[str, Any]]:
    profiles_by_entry: dict[int, Mapping[str, Any]] = {}
    entry_numbers_by_seed: dict[int, int] = {}
    for index, entry in enumerate(entry_data):
        if not is_complete(entry, "number"):
            continue
        profile_data = {
            profile_key: entry[profile_key]
            for profile_key in PROFILE_KEYS
            if profile_key in entry
        }
        try:
            profile = validate_profile(profile_data)
        except WhistError as problem:
            problems.append(format_problem(f"entries[{index}]", str(problem)))
            continue
        seed_number = profile.get("seed")
        if (
            seed_number is not None
            and entry_numbers_by_seed.setdefault(seed_number, entry["number"])
            != entry["number"]
        ):
            message = _("Entry %(entry)s already has seed %(seed)s.")
            path = f"entries[{index}].seed"
            problems.append(
                format_problem(
                    path, message, entry=entry_numbers_by_seed[seed_number], seed=seed_number
                )
            )
        if profile:
            profiles_by_entry[entry["number"]] = profile
    return profiles_by_entry


def _read_knockout(
    event_data: Mapping[str, Any], entry_numbers: set[int | None], problems: Problems
) -> dict[str, Any] | None:
    knockout_data: Any = event_data.get("knockout")
    path = "event.knockout"
    if not is_complete(knockout_data, "seeds") or not event_data.get("contest"):
        return None
    seeds, segment_count = knockout_data["seeds"], knockout_data.get("segments", 1)
    has_three_way_matches = knockout_data.get("three_way", False)
    try:
        check_bracket(
            event_data["contest"],
            entry_numbers,
            seeds,
            segment_count,
            has_three_way_matches=has_three_way_matches,
        )
    except WhistError as problem:
        problems.append(format_problem(path, str(problem)))
        return None
    return {
        "seeds": seeds,
        "segments": segment_count,
        "seed_wins": knockout_data.get("seed_wins", False),
        "three_way": has_three_way_matches,
        "matches": _read_matches(knockout_data, segment_count, path, problems),
    }


def _read_matches(
    knockout_data: Mapping[str, Any],
    segment_count: int,
    base_json_path: str,
    problems: Problems,
) -> dict[str, Any]:
    seeds, three_way = knockout_data["seeds"], knockout_data.get("three_way", False)
    bracket_rounds = build_bracket(len(seeds), has_three_way_matches=three_way)
    bracket_match_by_key = {
        (bracket_match.round_number, bracket_match.number): bracket_match
        for bracket_round in bracket_rounds
        for bracket_match in bracket_round
    }
    matches_by_name: dict[str, Any] = {}
    for index, match in enumerate(knockout_data.get("matches") or []):
        path, match_key = f"{base_json_path}.matches[{index}]", (match["round"], match["match"])
        advancing_entries = [match[name] for name in ("winner", "second") if name in match]
        score = MatchScore(
            tuple(map(Fraction, match.get("margins", ()))),
            tuple(map(Fraction, match.get("extra", ()))),
            tuple(
                seeds.index(entry_number) + 1
                for entry_number in advancing_entries
                if entry_number in seeds
            ),
        )
        margin_count = (
            3
            if match_key in bracket_match_by_key
            and bracket_match_by_key[match_key].third_side is not None
            else 1
        )
        placeholders = {"match": match_key[1], "round": match_key[0]}
        if match_key not in bracket_match_by_key:
            fault_text = _("Round %(round)s has no match %(match)s.")
            problems.append(format_problem(path, fault_text, **placeholders))
        elif format_match_name(match_key) in matches_by_name:
            fault_text = _("Match %(match)s of round %(round)s is listed twice.")
            problems.append(format_problem(path, fault_text, **placeholders))
        elif fault_text := describe_wrong_margins(margin_count, score, segment_count):
            problems.append(format_problem(f"{path}.margins", fault_text))
        elif len(score.advancing_seeds) < len(advancing_entries):
            fault_text = _("Number %(number)s isn’t in that match.")
            entry_number = next(
                advancing_entry
                for advancing_entry in advancing_entries
                if advancing_entry not in seeds
            )
            problems.append(format_problem(f"{path}.winner", fault_text, number=entry_number))
        matches_by_name[format_match_name(match_key)] = score.as_data()
    return matches_by_name


def _read_stage(
    event_data: Mapping[str, Any],
    entry_numbers: set[int | None],
    stratum_names: Sequence[str],
    read_event: EventReader,
    problems: Problems,
) -> EventFileStage | None:
    """Read the rule for an event's finals, and the drawn finals; return None without a rule."""
    stage_data: Any = event_data.get("stage")
    final_data = (stage_data or {}).get("finals") or []
    finals = [
        _read_final(final or {}, order, event_data, entry_numbers, read_event, problems)
        for order, final in enumerate(final_data, start=1)
    ]
    if not is_complete(stage_data, "finals"):
        return None
    names_and_sizes = [
        [" ".join(final["name"].split()), final.get("size")] for final in final_data
    ]
    rule_data = {
        rule_key: stage_data[rule_key] for rule_key in STAGE_RULE_KEYS if rule_key in stage_data
    }
    try:
        rule = read_rules(rule_data | {"finals": names_and_sizes})
    except WhistError as problem:
        problems.append(format_problem("event.stage", str(problem)))
        return None
    _check_rule(rule, entry_numbers, stratum_names, problems)
    final_names = {name for name, _size in rule.finals}
    return EventFileStage(
        rule=rule,
        drawn_at=_read_draw_time(stage_data, problems, has_drawn_finals=any(finals)),
        qualifiers=_read_qualifiers(
            stage_data.get("drawn") or [], final_names, entry_numbers, problems
        ),
        finals=tuple(file_final for file_final in finals if file_final),
    )


def _read_draw_time(
    stage_data: Mapping[str, Any], problems: Problems, *, has_drawn_finals: bool
) -> datetime | None:
    """Read the time of the draw, which is required if the file has finals or qualifiers."""
    path = "event.stage.drawn_at"
    time_text = stage_data.get("drawn_at")
    if not time_text:
        if stage_data.get("drawn") or has_drawn_finals:
            problems.append(format_problem(path, _("This is missing.")))
        return None
    drawn_at = parse_datetime(time_text)
    if drawn_at is None:
        message = _("Enter the day, time and time zone, e.g. %(example)s.")
        problems.append(format_problem(path, message, example="2026-03-10T21:05:00+00:00"))
    return drawn_at


def _check_rule(
    rule: StageRules,
    entry_numbers: set[int | None],
    stratum_names: Sequence[str],
    problems: Problems,
) -> None:
    for index, (name, _size) in enumerate(rule.finals):
        if rule.criterion is FinalsCriterion.STRATA and name not in stratum_names:
            message = _("Stratum %(name)s isn’t in this file.")
            problems.append(
                format_problem(f"event.stage.finals[{index}].name", message, name=name)
            )
    for index, entry_number in enumerate(rule.withdrawn_entries):
        _check_entry_exists(
            entry_number, entry_numbers, f"event.stage.withdrawn[{index}]", problems
        )


def _read_qualifiers(
    qualifier_data: Sequence[Mapping[str, Any]],
    final_names: set[str],
    entry_numbers: set[int | None],
    problems: Problems,
) -> list[dict[str, Any]]:
    default_values = {"by_lot": False, "moved_up": False}
    for index, qualifier in enumerate(qualifier_data):
        path = f"event.stage.drawn[{index}]"
        _check_entry_exists(qualifier["entry"], entry_numbers, f"{path}.entry", problems)
        if qualifier["final"] not in final_names:
            message = _("Final %(name)s isn’t in this file.")
            problems.append(format_problem(f"{path}.final", message, name=qualifier["final"]))
    return [default_values | dict(qualifier) for qualifier in qualifier_data]


def _read_final(
    final_data: Mapping[str, Any],
    order: int,
    event_data: Mapping[str, Any],
    entry_numbers: set[int | None],
    read_event: EventReader,
    problems: Problems,
) -> EventFileFinal | None:
    """Read the event of a final, or return None if the final has not been drawn yet."""
    base_json_path = f"event.stage.finals[{order - 1}]"
    if final_data.get("event") is None:
        return None
    event_file = read_event(final_data["event"], f"{base_json_path}.event", problems)
    if event_file is None or not is_complete(final_data, "name"):
        return None
    if event_file.contest_code != event_data.get("contest"):
        message = _("A final must be the same contest as its qualifying.")
        problems.append(format_problem(f"{base_json_path}.event.event.contest", message))
    final_entry_numbers: set[int | None] = {
        file_entry.entry_number for file_entry in event_file.entries
    }
    for json_key in ("brought", "told"):
        for index, carry_over in enumerate(final_data.get(json_key) or []):
            path = f"{base_json_path}.{json_key}[{index}]"
            _check_entry_exists(
                carry_over["entry"], final_entry_numbers, f"{path}.entry", problems
            )
            if "from" in carry_over:
                _check_entry_exists(carry_over["from"], entry_numbers, f"{path}.from", problems)
    return EventFileFinal(
        order=order,
        name=" ".join(final_data["name"].split()),
        event=event_file,
        carry_overs_by_entry=_read_carry_overs(final_data.get("brought") or []),
        carry_over_changes=[dict(carry_over) for carry_over in final_data.get("told") or []],
    )


def _read_carry_overs(
    carry_over_data: Sequence[Mapping[str, Any]],
) -> dict[str, dict[str, Any]]:
    """Return the carry-over scores of a final, by entry number in the final."""
    return {
        str(carry_over["entry"]): {
            "from": carry_over["from"],
            "tricks": str(Fraction(carry_over["tricks"])),
            "boards": carry_over["boards"],
        }
        for carry_over in carry_over_data
    }


def _check_entry_exists(
    entry_number: int, known_numbers: set[int | None], path: str, problems: Problems
) -> None:
    if entry_number not in known_numbers:
        message = _("Entry %(entry)s isn’t in this file.")
        problems.append(format_problem(path, message, entry=entry_number))
