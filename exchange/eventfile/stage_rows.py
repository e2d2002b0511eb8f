"""Exports and imports strata, prizes, brackets and finals of event files."""

import secrets
from collections.abc import Callable, Mapping
from itertools import chain
from typing import Any

from django.utils.translation import gettext as _

from exchange.eventfile.errors import UnusableEventFile
from exchange.eventfile.values import EventFile, EventFilePrizesAndStages, EventFileStage
from scoring.models import EntryProfile, EventPrize, Final, Knockout, Stage, Strata
from scoring.standings_engine import standings
from scoring.standings_engine.knockouts import find_knockout, load_bracket, parse_match_name
from server.json_reader.problems import format_problem
from tournaments.models import Entry, Event
from tournaments.stages.matches import read_score

DEFAULT_STAGE_RULE: Mapping[str, Any] = {
    "by": "places",
    "each": 0,
    "others": 0,
    "carry": "share",
    "share": "1/2",
    "cap": None,
    "withdrawn": [],
}
FinalCreator = Callable[[EventFile], Event]
FinalExporter = Callable[[Event], dict[str, Any]]


def write_prizes_and_stages(
    event: Event,
    prizes_and_stages: EventFilePrizesAndStages,
    entries_by_number: Mapping[int, Entry],
) -> None:
    """Store the profiles, strata, prizes and bracket of an imported event."""
    EntryProfile.objects.bulk_create(
        EntryProfile(entry=entries_by_number[entry_number], **profile_values)
        for entry_number, profile_values in prizes_and_stages.profiles_by_entry.items()
    )
    if prizes_and_stages.strata_values is not None:
        Strata.objects.create(event=event, **prizes_and_stages.strata_values)
    EventPrize.objects.bulk_create(
        EventPrize(event=event, order=order, **prize_values)
        for order, prize_values in enumerate(prizes_and_stages.prizes, start=1)
    )
    if prizes_and_stages.knockout_values is not None:
        Knockout.objects.create(event=event, **prizes_and_stages.knockout_values)
        Event.objects.filter(pk=event.pk).update(numbers_stand=True)


def check_matches(event: Event) -> None:
    """Raise UnusableEventFile if the scores of a bracket contradict one another.

    Call this after the rounds are stored, because the results at the tables decide who plays
    the later matches.
    """
    knockout = Knockout.objects.select_related("event__terms").get(event=event)
    for match in chain.from_iterable(load_bracket(knockout).rounds):
        advancing_seeds = match.score.advancing_seeds
        is_possible = not advancing_seeds or (
            len(advancing_seeds) == len(match.next_positions)
            and {*advancing_seeds} <= {*match.sides}
        )
        if match.can_be_played and not is_possible:
            message = _("The winner of match %(match)s in round %(round)s doesn’t play in it.")
            placeholders = {"match": match.number, "round": match.round_number}
            raise UnusableEventFile(
                [format_problem("event.knockout.matches", message, **placeholders)]
            )


def write_stage(
    event: Event, file_stage: EventFileStage, create_final: FinalCreator
) -> list[Event]:
    """Store the rule for an event's finals and create the drawn finals; return the finals."""
    rule_data = file_stage.rule.as_data()
    stage = Stage.objects.create(
        event=event,
        rule=rule_data | {"lot": rule_data["lot"] or secrets.token_hex(8)},
        drawn_at=file_stage.drawn_at,
        drawn=list(file_stage.qualifiers),
    )
    new_finals = []
    for file_final in file_stage.finals:
        final = create_final(file_final.event)
        new_finals.append(final)
        Final.objects.create(
            stage=stage,
            order=file_final.order,
            name=file_final.name,
            event=final,
            brought=dict(file_final.carry_overs_by_entry),
            told=list(file_final.carry_over_changes),
        )
        Event.objects.filter(pk=final.pk).update(numbers_stand=True)
        standings.update_standings(Event.objects.get(pk=final.pk))
    return new_finals


def export_profiles(event: Event) -> dict[int, dict[str, Any]]:
    """Return the seed, ratings, stratum and tags of each entry, by entry number."""
    profiles = EntryProfile.objects.filter(entry__event=event).select_related("entry")
    return {
        profile.entry.number: {key: value for key, value in profile.to_data().items() if value}
        for profile in profiles
    }


def export_strata_and_stages(event: Event, export_final: FinalExporter) -> dict[str, Any]:
    """Return the event file's data about strata, prizes, the bracket and finals.

    `export_final` is the function that exports the event of a final.
    """
    strata_and_stages_data: dict[str, Any] = {}
    if strata := Strata.objects.filter(event=event).first():
        stratum_lines = [
            {"name": name, "least": minimum_rating} for name, minimum_rating in strata.lines
        ]
        strata_and_stages_data["strata"] = {"rule": strata.rule, "lines": stratum_lines}
    if prizes := [_export_prize(prize) for prize in event.prizes.all()]:
        strata_and_stages_data["prizes"] = prizes
    if (knockout := find_knockout(event)) is not None:
        strata_and_stages_data["knockout"] = _export_knockout(knockout)
    if stage := Stage.objects.filter(event=event).first():
        strata_and_stages_data["stage"] = _export_stage(stage, export_final)
    return strata_and_stages_data


def _export_prize(prize: EventPrize) -> dict[str, Any]:
    value_data = {"cents": prize.value} if prize.value else {}
    return {
        "name": prize.name,
        "list": prize.listed,
        "place": prize.place,
        "kind": prize.kind,
        **value_data,
    }


def _export_knockout(knockout: Knockout) -> dict[str, Any]:
    matches = []
    for name in sorted(knockout.matches, key=parse_match_name):
        round_number, match_number = parse_match_name(name)
        match_data = knockout.matches[name]
        optional_data = {
            key: match_data[key] for key in ("margins", "extra") if match_data.get(key)
        }
        advancing_entries = [
            knockout.seeds[seed_number - 1]
            for seed_number in read_score(match_data).advancing_seeds
        ]
        optional_data |= dict(zip(("winner", "second"), advancing_entries, strict=False))
        matches.append({"round": round_number, "match": match_number, **optional_data})
    return {
        "seeds": knockout.seeds,
        "segments": knockout.segments,
        "seed_wins": knockout.seed_wins,
        **({"three_way": True} if knockout.three_way else {}),
        "matches": matches,
    }


def _export_stage(stage: Stage, export_final: FinalExporter) -> dict[str, Any]:
    finals_by_name = {
        final.name: final
        for final in stage.finals.filter(event__put_away_at=None).select_related(
            "event__club", "event__terms"
        )
    }
    rule_data = DEFAULT_STAGE_RULE | stage.rule
    changed_rule_data = {
        key: value
        for key, value in rule_data.items()
        if key != "finals" and value != DEFAULT_STAGE_RULE.get(key) and value not in (None, "")
    }
    finals = [
        {
            "name": name,
            **({"size": final_size} if final_size is not None else {}),
            **(
                _export_final(finals_by_name[name], export_final)
                if name in finals_by_name
                else {}
            ),
        }
        for name, final_size in rule_data["finals"]
    ]
    draw_data: dict[str, Any] = {}
    if stage.drawn_at is not None:
        draw_data = {"drawn_at": stage.drawn_at.isoformat(), "drawn": stage.drawn}
    return {**changed_rule_data, "finals": finals, **draw_data}


def _export_final(final: Final, export_final: FinalExporter) -> dict[str, Any]:
    return {
        "event": export_final(final.event),
        "brought": [
            {"entry": int(entry), **carry_over}
            for entry, carry_over in sorted(
                final.brought.items(), key=lambda item: int(item[0])
            )
        ],
        **({"told": final.told} if final.told else {}),
    }
