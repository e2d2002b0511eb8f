"""Exports and imports strata, prizes, brackets and finals of event files."""

import secrets
from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import gettext as _

from exchange.eventfile.errors import UnusableEventFile
from exchange.eventfile.values import EventFile, FiledField, FiledStage
from scoring.models import EntryProfile, EventPrize, Final, Knockout, Stage, Strata
from scoring.standings_engine import standings
from scoring.standings_engine.knockouts import find_knockout, load_bracket, parse_match_name
from server.json_reader.problems import format_problem
from tournaments.models import Entry, Event
from tournaments.stages.matches import read_score

DEFAULT_RULE: Mapping[str, Any] = {
    "by": "places",
    "each": 0,
    "others": 0,
    "carry": "share",
    "share": "1/2",
    "cap": None,
    "withdrawn": [],
}
CreateFinal = Callable[[EventFile], Event]
ExportFinal = Callable[[Event], dict[str, Any]]


def write_field(event: Event, filed: FiledField, entries: Mapping[int, Entry]) -> None:
    """Store the profiles, strata, prizes and bracket of an imported event."""
    EntryProfile.objects.bulk_create(
        EntryProfile(entry=entries[number], **profile)
        for number, profile in filed.profiles.items()
    )
    if filed.strata is not None:
        Strata.objects.create(event=event, **filed.strata)
    EventPrize.objects.bulk_create(
        EventPrize(event=event, order=order, **prize)
        for order, prize in enumerate(filed.prizes, start=1)
    )
    if filed.knockout is not None:
        Knockout.objects.create(event=event, **filed.knockout)
        Event.objects.filter(pk=event.pk).update(numbers_stand=True)


def check_matches(event: Event) -> None:
    """Raise UnusableEventFile if the scores of a bracket contradict one another.

    Call it after the rounds are stored, because the tables' results decide who plays later
    matches.
    """
    knockout = Knockout.objects.select_related("event__terms").get(event=event)
    for match in (
        knockout_match for row in load_bracket(knockout).rounds for knockout_match in row
    ):
        advancing_seeds = match.score.advancing_seeds
        is_possible = not advancing_seeds or (
            len(advancing_seeds) == len(match.leads_to) and {*advancing_seeds} <= {*match.sides}
        )
        if match.can_be_played and not is_possible:
            text = _("The winner of match %(match)s in round %(round)s doesn't play in it.")
            placeholders = {"match": match.number, "round": match.round}
            raise UnusableEventFile(
                [format_problem("event.knockout.matches", text, **placeholders)]
            )


def write_stage(event: Event, filed: FiledStage, make: CreateFinal) -> list[Event]:
    """Store the rule for an event's finals and create the drawn finals; return the finals."""
    rule = filed.rule.as_data()
    stage = Stage.objects.create(
        event=event,
        rule=rule | {"lot": rule["lot"] or secrets.token_hex(8)},
        drawn_at=filed.drawn_at,
        drawn=list(filed.drawn),
    )
    new_finals = []
    for filed_final in filed.finals:
        final = make(filed_final.event)
        new_finals.append(final)
        Final.objects.create(
            stage=stage,
            order=filed_final.order,
            name=filed_final.name,
            event=final,
            brought=dict(filed_final.brought),
            told=list(filed_final.told),
        )
        Event.objects.filter(pk=final.pk).update(numbers_stand=True)
        standings.update_standings(Event.objects.get(pk=final.pk))
    return new_finals


def export_profiles(event: Event) -> dict[int, dict[str, Any]]:
    """Return the seed, ratings, stratum and tags of each entry, by entry number."""
    rows = EntryProfile.objects.filter(entry__event=event).select_related("entry")
    return {
        row.entry.number: {key: value for key, value in row.to_data().items() if value}
        for row in rows
    }


def export_field(event: Event, export_final: ExportFinal) -> dict[str, Any]:
    """Return the file's data about an event's strata, prizes, bracket and finals.

    `export` is the function that exports the event of a final.
    """
    data: dict[str, Any] = {}
    if strata := Strata.objects.filter(event=event).first():
        lines = [
            {"name": name, "least": minimum_rating} for name, minimum_rating in strata.lines
        ]
        data["strata"] = {"rule": strata.rule, "lines": lines}
    if prizes := [_export_prize(row) for row in event.prizes.all()]:
        data["prizes"] = prizes
    if (knockout := find_knockout(event)) is not None:
        data["knockout"] = _export_knockout(knockout)
    if stage := Stage.objects.filter(event=event).first():
        data["stage"] = _export_stage(stage, export_final)
    return data


def _export_prize(row: EventPrize) -> dict[str, Any]:
    value_data = {"cents": row.value} if row.value else {}
    return {
        "name": row.name,
        "list": row.listed,
        "place": row.place,
        "kind": row.kind,
        **value_data,
    }


def _export_knockout(row: Knockout) -> dict[str, Any]:
    matches = []
    for name in sorted(row.matches, key=parse_match_name):
        number, match = parse_match_name(name)
        data = row.matches[name]
        said_of = {key: data[key] for key in ("margins", "extra") if data.get(key)}
        advancing = [row.seeds[seed - 1] for seed in read_score(data).advancing_seeds]
        said_of |= dict(zip(("winner", "second"), advancing, strict=False))
        matches.append({"round": number, "match": match, **said_of})
    return {
        "seeds": row.seeds,
        "segments": row.segments,
        "seed_wins": row.seed_wins,
        **({"three_way": True} if row.three_way else {}),
        "matches": matches,
    }


def _export_stage(stage: Stage, export_final: ExportFinal) -> dict[str, Any]:
    exported_finals = {
        final.name: final
        for final in stage.finals.filter(event__put_away_at=None).select_related(
            "event__club", "event__terms"
        )
    }
    rule_data = DEFAULT_RULE | stage.rule
    data = {
        key: value
        for key, value in rule_data.items()
        if key != "finals" and value != DEFAULT_RULE.get(key) and value not in (None, "")
    }
    finals = [
        {
            "name": name,
            **({"size": size} if size is not None else {}),
            **(
                _export_final(exported_finals[name], export_final)
                if name in exported_finals
                else {}
            ),
        }
        for name, size in rule_data["finals"]
    ]
    draw_data: dict[str, Any] = {}
    if stage.drawn_at is not None:
        draw_data = {"drawn_at": stage.drawn_at.isoformat(), "drawn": stage.drawn}
    return {**data, "finals": finals, **draw_data}


def _export_final(final: Final, export_final: ExportFinal) -> dict[str, Any]:
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
