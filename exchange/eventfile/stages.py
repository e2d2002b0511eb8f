"""The reading and validation of strata, prizes, brackets and finals in event files."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _

from boards.whist import WhistError
from exchange.eventfile.rulings import parse_time
from exchange.eventfile.schema import is_complete
from exchange.eventfile.values import (
    EventFile,
    FiledField,
    FiledFinal,
    FiledSession,
    FiledStage,
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
RULE_KEYS = ("by", "each", "others", "carry", "share", "cap", "lot", "withdrawn")
EventReader = Callable[[Any, str, Problems], EventFile | None]
"""The type of the function that reads the event of a final within an event file."""


def read_field(
    clean: Mapping[str, Any], numbers: set[int | None], inner: EventReader, wrong: Problems
) -> FiledField:
    """Read an event's strata, prizes, bracket and finals.

    `inner` is the function that reads the event of a final.
    """
    event = clean.get("event") or {}
    strata = _read_strata(event.get("strata"), wrong)
    names = [name for name, _least in (strata or {}).get("lines", ())]
    return FiledField(
        strata=strata,
        prizes=_read_prizes(event.get("prizes") or [], wrong),
        knockout=_read_knockout(event, numbers, wrong),
        stage=_read_stage(event, numbers, names, inner, wrong),
        profiles=_read_profiles(clean.get("entries") or [], wrong),
    )


def check_bracket_draws(
    field: FiledField, sessions: Sequence[FiledSession | None], wrong: Problems
) -> None:
    """Check that a section's drawn rounds match the bracket's rounds and segments.

    Three-way rounds, which are played in halves, are valid only in a three-way bracket.
    """
    for at, session in enumerate(sessions):
        for place, section in enumerate(session.sections if session else ()):
            where, plan = f"sessions[{at}].sections[{place}].draw", section.draw
            if plan is not None and plan.knockout:
                _check_bracket_draw(plan, field.knockout, where, wrong)


def _check_bracket_draw(
    plan: SwissPlan, knockout: Mapping[str, Any] | None, where: str, wrong: Problems
) -> None:
    if plan.three_way != bool(knockout and knockout["three_way"]):
        text = _("Give three_way in both the bracket and its draws, or in neither.")
        wrong.append(format_problem(f"{where}.three_way", text))
    if knockout is None:
        return
    segments = knockout["segments"]
    rounds = (
        len(build_bracket(len(knockout["seeds"]), three_way=knockout["three_way"])) * segments
    )
    if plan.segments != segments:
        text = _("Matches in this bracket have %(segments)s segments. Give %(segments)s.")
        wrong.append(format_problem(f"{where}.segments", text, segments=segments))
    elif plan.rounds != rounds:
        text = _("The bracket has %(rounds)s rounds at the tables. Give %(rounds)s.")
        wrong.append(format_problem(f"{where}.rounds", text, rounds=rounds))


def _read_strata(written: Any, wrong: Problems) -> dict[str, Any] | None:
    if not is_complete(written, "lines"):
        return None
    rule = written.get("rule", "hand")
    lines = [(line["name"], line.get("least", "0")) for line in written["lines"]]
    try:
        return {"rule": rule, "lines": validate_strata(lines, rule)}
    except WhistError as problem:
        wrong.append(format_problem("event.strata", str(problem)))
        return None


def _read_prizes(listed: Sequence[Any], wrong: Problems) -> tuple[Mapping[str, Any], ...]:
    found = []
    if len(listed) > MAX_PRIZES:
        text = _("An event has at most %(most)s prizes.")
        wrong.append(format_problem("event.prizes", text, most=MAX_PRIZES))
    for place, prize in enumerate(listed):
        if not is_complete(prize, "name"):
            continue
        where = f"event.prizes[{place}]"
        given = dict(prize) | {"listed": prize.get("list", "all")}
        given["value"] = prize.get("cents", 0)
        if prize.get("kind", "honour") == "honour" and given["value"]:
            wrong.append(format_problem(f"{where}.cents", _("An honour has no money.")))
        try:
            found.append(validate_prize(given))
        except WhistError as problem:
            wrong.append(format_problem(where, str(problem)))
    return tuple(found)


def _read_profiles(listed: Sequence[Any], wrong: Problems) -> dict[int, Mapping[str, Any]]:
    found: dict[int, Mapping[str, Any]] = {}
    seeds: dict[int, int] = {}
    for place, entry in enumerate(listed):
        if not is_complete(entry, "number"):
            continue
        given = {key: entry[key] for key in PROFILE_KEYS if key in entry}
        try:
            profile = validate_profile(given)
        except WhistError as problem:
            wrong.append(format_problem(f"entries[{place}]", str(problem)))
            continue
        seed = profile.get("seed")
        if seed is not None and seeds.setdefault(seed, entry["number"]) != entry["number"]:
            text = _("Entry %(entry)s already has seed %(seed)s.")
            path = f"entries[{place}].seed"
            wrong.append(format_problem(path, text, entry=seeds[seed], seed=seed))
        if profile:
            found[entry["number"]] = profile
    return found


def _read_knockout(
    event: Mapping[str, Any], numbers: set[int | None], wrong: Problems
) -> dict[str, Any] | None:
    written: Any = event.get("knockout")
    where = "event.knockout"
    if not is_complete(written, "seeds") or not event.get("contest"):
        return None
    seeds, segments = written["seeds"], written.get("segments", 1)
    three_way = written.get("three_way", False)
    try:
        check_bracket(event["contest"], numbers, seeds, segments, three_way=three_way)
    except WhistError as problem:
        wrong.append(format_problem(where, str(problem)))
        return None
    return {
        "seeds": seeds,
        "segments": segments,
        "seed_wins": written.get("seed_wins", False),
        "three_way": three_way,
        "matches": _read_matches(written, segments, where, wrong),
    }


def _read_matches(
    knockout: Mapping[str, Any], segments: int, where: str, wrong: Problems
) -> dict[str, Any]:
    seeds, three_way = knockout["seeds"], knockout.get("three_way", False)
    rows = build_bracket(len(seeds), three_way=three_way)
    ties = {(tie.round, tie.number): tie for row in rows for tie in row}
    found: dict[str, Any] = {}
    for place, match in enumerate(knockout.get("matches") or []):
        path, key = f"{where}.matches[{place}]", (match["round"], match["match"])
        going = [match[name] for name in ("winner", "second") if name in match]
        score = MatchScore(
            tuple(map(Fraction, match.get("margins", ()))),
            tuple(map(Fraction, match.get("extra", ()))),
            tuple(seeds.index(number) + 1 for number in going if number in seeds),
        )
        couples = 3 if key in ties and ties[key].third is not None else 1
        figures = {"match": key[1], "round": key[0]}
        if key not in ties:
            text = _("Round %(round)s has no match %(match)s.")
            wrong.append(format_problem(path, text, **figures))
        elif format_match_name(key) in found:
            text = _("Match %(match)s of round %(round)s is given twice.")
            wrong.append(format_problem(path, text, **figures))
        elif text := describe_wrong_margins(couples, score, segments):
            wrong.append(format_problem(f"{path}.margins", text))
        elif len(score.advancing_seeds) < len(going):
            text = _("Number %(number)s isn't in that match.")
            number = next(each for each in going if each not in seeds)
            wrong.append(format_problem(f"{path}.winner", text, number=number))
        found[format_match_name(key)] = score.as_data()
    return found


def _read_stage(
    event: Mapping[str, Any],
    numbers: set[int | None],
    strata: Sequence[str],
    inner: EventReader,
    wrong: Problems,
) -> FiledStage | None:
    """Read the rule for an event's finals, and the drawn finals; return None without a rule."""
    written: Any = event.get("stage")
    listed = (written or {}).get("finals") or []
    finals = [
        _read_final(each or {}, order, event, numbers, inner, wrong)
        for order, each in enumerate(listed, start=1)
    ]
    if not is_complete(written, "finals"):
        return None
    sizes = [[" ".join(each["name"].split()), each.get("size")] for each in listed]
    kept = {key: written[key] for key in RULE_KEYS if key in written}
    try:
        rule = read_rules(kept | {"finals": sizes})
    except WhistError as problem:
        wrong.append(format_problem("event.stage", str(problem)))
        return None
    _check_rule(rule, numbers, strata, wrong)
    names = {name for name, _size in rule.finals}
    return FiledStage(
        rule=rule,
        drawn_at=_read_drawn_at(written, wrong, is_drawn=any(finals)),
        drawn=_read_qualifiers(written.get("drawn") or [], names, numbers, wrong),
        finals=tuple(each for each in finals if each),
    )


def _read_drawn_at(
    stage: Mapping[str, Any], wrong: Problems, *, is_drawn: bool
) -> datetime | None:
    """Read the time of the draw, which is required if the file has finals or qualifiers."""
    where = "event.stage.drawn_at"
    text = stage.get("drawn_at")
    if not text:
        if stage.get("drawn") or is_drawn:
            wrong.append(format_problem(where, _("This is missing.")))
        return None
    drawn_at = parse_time(text)
    if drawn_at is None:
        words = _("Give day, time and time zone, such as %(example)s.")
        wrong.append(format_problem(where, words, example="2026-03-10T21:05:00+00:00"))
    return drawn_at


def _check_rule(
    rule: StageRules, numbers: set[int | None], strata: Sequence[str], wrong: Problems
) -> None:
    for place, (name, _size) in enumerate(rule.finals):
        if rule.by is FinalsCriterion.STRATA and name not in strata:
            text = _("Stratum %(name)s isn't in this file.")
            wrong.append(format_problem(f"event.stage.finals[{place}].name", text, name=name))
    for place, number in enumerate(rule.withdrawn):
        _check_entry(number, numbers, f"event.stage.withdrawn[{place}]", wrong)


def _read_qualifiers(
    listed: Sequence[Mapping[str, Any]],
    names: set[str],
    numbers: set[int | None],
    wrong: Problems,
) -> list[dict[str, Any]]:
    usual = {"by_lot": False, "moved_up": False}
    for place, each in enumerate(listed):
        where = f"event.stage.drawn[{place}]"
        _check_entry(each["entry"], numbers, f"{where}.entry", wrong)
        if each["final"] not in names:
            text = _("Final %(name)s isn't in this file.")
            wrong.append(format_problem(f"{where}.final", text, name=each["final"]))
    return [usual | dict(each) for each in listed]


def _read_final(
    written: Mapping[str, Any],
    order: int,
    event: Mapping[str, Any],
    numbers: set[int | None],
    inner: EventReader,
    wrong: Problems,
) -> FiledFinal | None:
    """Read the event of a final, or return None if the final has not been drawn yet."""
    where = f"event.stage.finals[{order - 1}]"
    if written.get("event") is None:
        return None
    file = inner(written["event"], f"{where}.event", wrong)
    if file is None or not is_complete(written, "name"):
        return None
    if file.contest != event.get("contest"):
        text = _("A final must have the contest of its qualifying.")
        wrong.append(format_problem(f"{where}.event.event.contest", text))
    own: set[int | None] = {each.number for each in file.entries}
    for part in ("brought", "told"):
        for place, each in enumerate(written.get(part) or []):
            path = f"{where}.{part}[{place}]"
            _check_entry(each["entry"], own, f"{path}.entry", wrong)
            if "from" in each:
                _check_entry(each["from"], numbers, f"{path}.from", wrong)
    return FiledFinal(
        order=order,
        name=" ".join(written["name"].split()),
        event=file,
        brought=_read_carry_overs(written.get("brought") or []),
        told=[dict(each) for each in written.get("told") or []],
    )


def _read_carry_overs(listed: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return the carry-over scores of a final, by entry number in the final."""
    return {
        str(each["entry"]): {
            "from": each["from"],
            "tricks": str(Fraction(each["tricks"])),
            "boards": each["boards"],
        }
        for each in listed
    }


def _check_entry(number: int, numbers: set[int | None], where: str, wrong: Problems) -> None:
    if number not in numbers:
        text = _("Entry %(entry)s isn't in this file.")
        wrong.append(format_problem(where, text, entry=number))
