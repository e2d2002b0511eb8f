"""Services that set up a bracket, record its matches, and create a plate for the losers."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import date as Date
from fractions import Fraction
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs import audit
from clubs.audit import Actor, Undo
from scoring.errors import LaterMatchBegun, StageRefused
from scoring.models import Final, Knockout
from scoring.services.stages import copy_event
from scoring.standings_engine.knockouts import (
    Bracket,
    format_match_name,
    load_bracket,
    parse_match_name,
)
from server.numbers import parse_exact_number
from tournaments.models import Event, Section, Session
from tournaments.movements.drawn_rounds import DRAWN_MOVEMENT_NAME
from tournaments.stages.brackets import MAX_ENTRANTS, MatchKey, build_bracket, can_replace_byes
from tournaments.stages.matches import (
    KnockoutMatch,
    MatchScore,
    list_losers,
    list_started_later_matches,
    read_score,
)
from tournaments.swiss.plan import read_plan

BRACKET_UNDO_SUBJECTS = ("knockout",)
"""The undo subject of all changes to a bracket: they can only be undone in reverse order."""
MIN_KNOCKOUT_ENTRIES = 2


@transaction.atomic
def set_bracket(
    *,
    event: Event,
    seeds: Sequence[int],
    segments: int = 1,
    seed_wins: bool = False,
    three_way: bool = False,
    matches: Mapping[str, Any] | None = None,
    by: Actor,
) -> Knockout | None:
    """Set the bracket of an event. `seeds` are entry numbers, the first seed first.

    In a `three_way` bracket, matches of three teams in round 1 replace the byes. Without seeds,
    the bracket is removed. An undo passes the `matches` of the earlier bracket. Raises
    StageRefused for seeds that are not distinct entries, and if a match is already decided.
    """
    event = _lock_event(event)
    knockout = Knockout.objects.filter(event=event).first()
    former_bracket_data = _build_bracket_data(knockout)
    new_bracket_data = {
        "seeds": list(seeds),
        "segments": segments,
        "seed_wins": seed_wins,
        "three_way": three_way,
        "matches": dict(matches or {}),
    }
    if (
        seeds
        and knockout is not None
        and {**former_bracket_data, "matches": {}} == {**new_bracket_data, "matches": {}}
    ):
        return knockout
    if knockout is not None and knockout.matches and matches is None:
        raise StageRefused(_("Matches are already decided. Undo them first."))
    if is_bracket_seated(event):
        raise StageRefused(
            _(
                "The first matches already have tables. Choose another "
                "movement first, or undo the seating in the history."
            )
        )
    if not seeds:
        Knockout.objects.filter(event=event).delete()
        knockout = None
    else:
        entry_numbers = set(event.entries.values_list("number", flat=True))
        check_bracket(
            event.contest, entry_numbers, seeds, segments, has_three_way_matches=three_way
        )
        knockout, _is_new = Knockout.objects.update_or_create(
            event=event, defaults=new_bracket_data
        )
    is_final = Final.objects.filter(event=event).exists()
    Event.objects.filter(pk=event.pk).update(numbers_stand=bool(seeds) or is_final)
    if former_bracket_data != (new_bracket_data if seeds else {}):
        undo_arguments = former_bracket_data or {"seeds": [], "matches": {}}
        audit.record(
            by,
            "knockout.settled",
            subject=event,
            before=_build_bracket_summary(former_bracket_data) if former_bracket_data else None,
            after=_build_bracket_summary(new_bracket_data) if seeds else None,
            undo=Undo(BRACKET_UNDO_SUBJECTS, "knockout.settle", undo_arguments),
        )
    return knockout


@transaction.atomic
def record_match(
    *,
    event: Event,
    match_key: MatchKey,
    margins: Sequence[str] = (),
    extra_margins: Sequence[str] = (),
    winner_number: int | None = None,
    second_winner_number: int | None = None,
    later_choice: str = "",
    by: Actor,
) -> Bracket:
    """Record the score of a match: the margins of its first side, or only the side that
    advances.

    `margins` has the tricks of each segment, and `extra_margins` those of extra boards after a
    tie. In a three-way match, each segment has three margins: first against second, second
    against third, third against first. `winner_number` is the number of an entry, for a no-show
    or a decision of the director. `second_winner_number` is the other entry that advances.
    Without margins and winners, the match is open again.

    If the winner changes after a later match has begun, `later_choice` must say what happens:
    with "keep", the earlier winner stays in the later match; with "take_back", the later scores
    are undone. Otherwise StageRefused is raised.
    """
    event = _lock_event(event)
    knockout = Knockout.objects.select_for_update().filter(event=event).first()
    if knockout is None:
        raise StageRefused(_("This event has no bracket."))
    knockout.event = event
    bracket = load_bracket(knockout)
    match = _find_match(bracket, match_key)
    score = MatchScore(
        tuple(map(_parse_margin, margins)), tuple(map(_parse_margin, extra_margins))
    )
    if error := describe_wrong_margins(len(match.pairings), score, knockout.segments):
        raise StageRefused(error)
    if winner_number is not None or second_winner_number is not None:
        score = replace(
            score,
            advancing_seeds=_find_advancing_seeds(
                bracket, match, winner_number, second_winner_number
            ),
        )
    return _write_match(knockout, bracket, match, score, later_choice, by)


def _write_match(
    knockout: Knockout,
    former_bracket: Bracket,
    match: KnockoutMatch,
    score: MatchScore,
    later_choice: str,
    by: Actor,
) -> Bracket:
    former_score_data, match_key = dict(knockout.matches), match.key
    knockout.matches = {**former_score_data, format_match_name(match_key): score.as_data()}
    if score == MatchScore():
        knockout.matches.pop(format_match_name(match_key))
    new_bracket = load_bracket(knockout)
    advancing_seeds = new_bracket.rounds[match_key[0] - 1][match_key[1] - 1].advancing_sides
    started_match_keys = (
        list_started_later_matches(former_bracket.rounds, match_key, advancing_seeds)
        if match.advancing_sides
        else []
    )
    if (
        later_choice == "keep"
        and match.advancing_sides
        and (
            match.advancing_sides != advancing_seeds
            or match_key in former_bracket.corrected_winners_by_match
        )
    ):
        kept_score = replace(score, advancing_seeds=match.advancing_sides)
        knockout.matches = {
            **former_score_data,
            format_match_name(match_key): kept_score.as_data(),
        }
    elif (
        former_bracket.seated_winners_by_match.get(match_key, advancing_seeds)
        != advancing_seeds
    ):
        raise StageRefused(
            _(
                "The winners are already seated for the next round. Undo the draw first, "
                "or keep the current winner."
            )
        )
    elif started_match_keys:
        _undo_later_matches(knockout, started_match_keys, later_choice)
    if knockout.matches == former_score_data:
        return former_bracket
    knockout.save(update_fields=["matches"])
    _record_match_history(knockout, former_score_data, match_key, by)
    return load_bracket(knockout)


def _undo_later_matches(
    knockout: Knockout, started_match_keys: Sequence[MatchKey], later_choice: str
) -> None:
    """Remove the later scores if the director chose that; otherwise raise LaterMatchBegun."""
    if later_choice != "take_back":
        raise LaterMatchBegun(
            _(
                "This changes the winner, but the next match (round "
                "%(round)s) has begun. Keep the earlier winner, or undo the "
                "later scores."
            )
            % {"round": started_match_keys[0][0]}
        )
    for match_key in started_match_keys:
        knockout.matches.pop(format_match_name(match_key), None)


@transaction.atomic
def restore_matches(*, event: Event, matches: Mapping[str, Any], by: Actor) -> None:
    """Undo a recorded match by restoring all matches as they were before."""
    event = _lock_event(event)
    knockout = Knockout.objects.select_for_update().filter(event=event).first()
    if knockout is None or knockout.matches == matches:
        return
    former_score_data, knockout.matches = dict(knockout.matches), dict(matches)
    knockout.event = event
    knockout.save(update_fields=["matches"])
    changed_match_keys = {
        parse_match_name(match_name)
        for match_name in {*former_score_data, *matches}
        if former_score_data.get(match_name) != matches.get(match_name)
    }
    _record_match_history(knockout, former_score_data, min(changed_match_keys), by)


@transaction.atomic
def create_plate(
    *, event: Event, round_number: int, name: str, date: Date | None = None, by: Actor
) -> Event:
    """Create a plate for the losers of a round of the bracket, seeded as in the bracket.

    The plate is an event with its own bracket. For a Swiss consolation, create an event with a
    Swiss movement instead. Idempotent: a second call returns the same plate. Raises
    StageRefused while a match of the round is open.
    """
    event = _lock_event(event)
    knockout = Knockout.objects.filter(event=event).first()
    if knockout is None:
        raise StageRefused(_("This event has no bracket."))
    knockout.event = event
    bracket = load_bracket(knockout)
    if not 1 <= round_number <= len(bracket.rounds):
        raise StageRefused(_("The bracket has no round %(round)s.") % {"round": round_number})
    if any(match.winner is None for match in bracket.rounds[round_number - 1]):
        raise StageRefused(
            _("A match in round %(round)s is still open.") % {"round": round_number}
        )
    loser_numbers = [
        knockout.seeds[seed - 1] for seed in list_losers(bracket.rounds, round_number)
    ]
    if len(loser_numbers) < MIN_KNOCKOUT_ENTRIES:
        raise StageRefused(
            _("Fewer than two pairs or teams lost in round %(round)s.")
            % {"round": round_number}
        )
    existing_plate_event = _find_existing_plate(event, name, date or event.date)
    if existing_plate_event is not None:
        return existing_plate_event
    entries_by_number = {entry.number: entry for entry in event.entries.all()}
    entries = [entries_by_number[loser_number] for loser_number in loser_numbers]
    plate_event = copy_event(
        event=event,
        name=_choose_plate_name(event, name),
        date=date or event.date,
        entries=entries,
        by=by,
    )
    set_bracket(
        event=plate_event,
        seeds=list(range(1, len(entries) + 1)),
        segments=knockout.segments,
        seed_wins=knockout.seed_wins,
        three_way=knockout.three_way and can_replace_byes(len(entries)),
        by=by,
    )
    return plate_event


def _choose_plate_name(event: Event, name: str) -> str:
    return f"{event.name}: {name}"[:100]


def _find_existing_plate(event: Event, name: str, date: Date) -> Event | None:
    # Weekly events share one name, and their plates do too, so the date must also be equal.
    plates = Event.objects.filter(
        club=event.club, name=_choose_plate_name(event, name), date=date
    )
    return plates.filter(put_away_at=None, knockout__isnull=False).first()


def _record_match_history(
    knockout: Knockout, former_score_data: Mapping[str, Any], match_key: MatchKey, by: Actor
) -> None:
    match_name = format_match_name(match_key)
    first_round_matches = build_bracket(
        len(knockout.seeds), has_three_way_matches=knockout.three_way
    )[0]
    is_three_way = match_key in {
        (match.round_number, match.number)
        for match in first_round_matches
        if match.third_side is not None
    }
    undo_arguments = {"matches": dict(former_score_data)}
    audit.record(
        by,
        "match.decided",
        subject=knockout.event,
        where={"round": match_key[0], "match": match_key[1]},
        before=_build_history_data(
            former_score_data.get(match_name), is_three_way=is_three_way
        ),
        after=_build_history_data(knockout.matches.get(match_name), is_three_way=is_three_way),
        undo=Undo(BRACKET_UNDO_SUBJECTS, "knockout.matches", undo_arguments),
    )


def _build_bracket_summary(bracket_data: Mapping[str, Any]) -> dict[str, Any]:
    three_way_summary = {"three_way": True} if bracket_data["three_way"] else {}
    return {"entries": len(bracket_data["seeds"]), **three_way_summary}


def _build_history_data(
    score_data: Mapping[str, Any] | None, *, is_three_way: bool
) -> dict[str, Any] | None:
    if score_data is None:
        return None
    score = read_score(score_data)
    if is_three_way and score.margins:
        return {"margins": [str(margin) for margin in score.margins]}
    return (
        {"margin": str(score.total_margin)}
        if score.margins or score.extra_margins
        else {"by_hand": True}
    )


def is_bracket_seated(event: Event, *, ignored_session: Session | None = None) -> bool:
    """Return whether matches of the event's bracket are seated, so that it cannot change.

    Sections of `ignored_session` do not count.
    """
    sections = Section.objects.filter(session__event=event, movement=DRAWN_MOVEMENT_NAME)
    section_options = sections.exclude(session=ignored_session).values_list(
        "options", flat=True
    )
    return any(
        (plan := read_plan(options_of_section)) and plan.knockout
        for options_of_section in section_options
    )


def _build_bracket_data(knockout: Knockout | None) -> dict[str, Any]:
    if knockout is None:
        return {}
    return {
        "seeds": knockout.seeds,
        "segments": knockout.segments,
        "seed_wins": knockout.seed_wins,
        "three_way": knockout.three_way,
        "matches": knockout.matches,
    }


def check_bracket(
    contest: str,
    entry_numbers: Collection[int | None],
    seeds: Sequence[int],
    segment_count: int,
    *,
    has_three_way_matches: bool = False,
) -> None:
    """Check the seeds of a bracket against the numbers of the entries; raise StageRefused."""
    if contest not in (Event.Contest.PAIRS, Event.Contest.TEAMS):
        raise StageRefused(_("A knock-out is for pairs and teams."))
    if not MIN_KNOCKOUT_ENTRIES <= len(seeds) <= MAX_ENTRANTS:
        raise StageRefused(
            _("A knock-out needs %(least)s–%(most)s pairs or teams.")
            % {"least": MIN_KNOCKOUT_ENTRIES, "most": MAX_ENTRANTS}
        )
    if not 1 <= segment_count <= 8:
        raise StageRefused(_("Enter 1–8 segments per match."))
    if len(set(seeds)) < len(seeds) or not set(entry_numbers).issuperset(seeds):
        raise StageRefused(_("Each seed must be a different pair or team number."))
    if has_three_way_matches and contest != Event.Contest.TEAMS:
        raise StageRefused(
            _("Only teams can play three-way matches. Create the pairs’ bracket with byes.")
        )
    if has_three_way_matches and not can_replace_byes(len(seeds)):
        raise StageRefused(
            _(
                "%(entries)s teams fill the bracket, so there are no byes. "
                "Create it without three-way matches."
            )
            % {"entries": len(seeds)}
        )


def describe_wrong_margins(pairing_count: int, score: MatchScore, segment_count: int) -> str:
    """Return a sentence about a wrong number of margins; "" if the number fits the match.

    `pairing_count` is the number of pairings in the match: one, or three in a three-way match.
    """
    if len(score.margins) > segment_count * pairing_count:
        message = ngettext(
            "A match has %(segments)s segment. Enter its margin.",
            "A match has %(segments)s segments. Enter a margin for each.",
            segment_count,
        )
        return message % {"segments": segment_count}
    if len(score.margins) % pairing_count or len(score.extra_margins) % pairing_count:
        return _(
            "Enter three margins per segment: first against second, "
            "second against third, third against first."
        )
    return ""


def _find_match(bracket: Bracket, match_key: MatchKey) -> KnockoutMatch:
    round_number, match_number = match_key
    if not 1 <= round_number <= len(bracket.rounds) or not 1 <= match_number <= len(
        bracket.rounds[round_number - 1]
    ):
        raise StageRefused(
            _("Match %(match)s of round %(round)s not found.")
            % {"match": match_number, "round": round_number}
        )
    match = bracket.rounds[round_number - 1][match_number - 1]
    if not match.can_be_played:
        raise StageRefused(_("The sides of that match aren’t known yet."))
    return match


def _find_advancing_seeds(
    bracket: Bracket,
    match: KnockoutMatch,
    winner_number: int | None,
    second_winner_number: int | None,
) -> tuple[int, ...]:
    """Return the seeds of the entries that advance by decision of the director."""
    advancing_entry_numbers = [
        entry_number
        for entry_number in (winner_number, second_winner_number)
        if entry_number is not None
    ]
    if len(set(advancing_entry_numbers)) != len(match.next_positions):
        raise StageRefused(
            _("Two go through from that match. Choose both.")
            if len(match.next_positions) > 1
            else _("One goes through from that match. Choose one.")
        )
    return tuple(
        _find_seed(bracket, match, advancing_entry_number)
        for advancing_entry_number in advancing_entry_numbers
    )


def _find_seed(bracket: Bracket, match: KnockoutMatch, entry_number: int) -> int:
    for seed in match.sides:
        if bracket.find_entry_number(seed) == entry_number:
            return seed
    raise StageRefused(_("Number %(number)s isn’t in that match.") % {"number": entry_number})


def _parse_margin(margin_text: str) -> Fraction:
    try:
        margin = parse_exact_number(margin_text.replace("−", "-").replace("–", "-"))
    except ValueError:
        margin = Fraction(1000)
    if abs(margin) >= 1000 or len(str(margin)) > 20:
        raise StageRefused(
            _("“%(text)s” isn’t a margin. Enter tricks, e.g. 5, −2 or 0.")
            % {"text": str(margin_text)[:20]}
        )
    return margin


def _lock_event(event: Event) -> Event:
    # Two directors, or a double click, may submit the same page at once.
    events = Event.objects.select_for_update(of=("self",)).select_related("club", "terms")
    return events.get(pk=event.pk)
