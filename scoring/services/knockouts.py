"""Knock-outs: set up a bracket, decide its matches, and create a plate for losers."""

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
from tournaments.movements.drawn_rounds import DRAWN_KEY
from tournaments.stages.brackets import MAX_ENTRANTS, Key, build_bracket, can_replace_byes
from tournaments.stages.matches import (
    KnockoutMatch,
    MatchScore,
    list_begun_after,
    list_losers,
    read_score,
)
from tournaments.swiss.plan import read_plan

BRACKET_SUBJECT = ("knockout",)
MIN_ENTRANTS = 2


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
    """Set the bracket of an event from the numbers of its entries, the first seed first.

    In a `three_way` bracket three teams meet in each match of round 1, and no entry has a bye.
    Without seeds the bracket is removed. `matches` are those of an earlier bracket, for an
    undo. Raises StageRefused for seeds that are not distinct entries, and after a match is
    decided.
    """
    event = _lock_event(event)
    row = Knockout.objects.filter(event=event).first()
    before = _bracket_to_data(row)
    after = {
        "seeds": list(seeds),
        "segments": segments,
        "seed_wins": seed_wins,
        "three_way": three_way,
        "matches": dict(matches or {}),
    }
    if seeds and row is not None and {**before, "matches": {}} == {**after, "matches": {}}:
        return row
    if row is not None and row.matches and matches is None:
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
        row = None
    else:
        entry_numbers = set(event.entries.values_list("number", flat=True))
        check_bracket(event.contest, entry_numbers, seeds, segments, three_way=three_way)
        row, _is_new = Knockout.objects.update_or_create(event=event, defaults=after)
    is_final = Final.objects.filter(event=event).exists()
    Event.objects.filter(pk=event.pk).update(numbers_stand=bool(seeds) or is_final)
    if before != (after if seeds else {}):
        audit.record(
            by,
            "knockout.settled",
            subject=event,
            before=_read_bracket_arguments(before) if before else None,
            after=_read_bracket_arguments(after) if seeds else None,
            back=Undo(
                BRACKET_SUBJECT, "knockout.settle", before or {"seeds": [], "matches": {}}
            ),
        )
    return row


@transaction.atomic
def record_match(
    *,
    event: Event,
    key: Key,
    margins: Sequence[str] = (),
    extra: Sequence[str] = (),
    winner: int | None = None,
    second: int | None = None,
    later: str = "",
    by: Actor,
) -> Bracket:
    """Record the score of a match: the margins of its first side, or only the side that
    advances.

    In a three-way match each segment has three margins: first against second, second against
    third, third against first. `winner` is an entry's number, for a no-show or a decision of
    the director; `second` is the other entry that advances. Without any of these the match is
    open again.

    If the winner changes and a later match has begun, nothing moves automatically. With
    `later` "keep", the earlier winner advances anyway; with "take_back", the later scores are
    undone. Otherwise StageRefused is raised.
    """
    event = _lock_event(event)
    row = Knockout.objects.select_for_update().filter(event=event).first()
    if row is None:
        raise StageRefused(_("This event has no bracket."))
    row.event = event
    before = load_bracket(row)
    match = _find_match(before, key)
    score = MatchScore(tuple(map(_parse_tricks, margins)), tuple(map(_parse_tricks, extra)))
    if error := describe_wrong_margins(len(match.couples), score, row.segments):
        raise StageRefused(error)
    if winner is not None or second is not None:
        score = replace(
            score, advancing_seeds=_find_given_winners(before, match, winner, second)
        )
    return _write_match(row, before, match, score, later, by)


def _write_match(
    row: Knockout,
    before: Bracket,
    match: KnockoutMatch,
    score: MatchScore,
    later: str,
    by: Actor,
) -> Bracket:
    former_matches, key = dict(row.matches), match.key
    row.matches = {**former_matches, format_match_name(key): score.as_data()}
    if score == MatchScore():
        row.matches.pop(format_match_name(key))
    after = load_bracket(row)
    advancing = after.rounds[key[0] - 1][key[1] - 1].going
    begun_matches = list_begun_after(before.rounds, key, advancing) if match.going else []
    if (
        later == "keep"
        and match.going
        and (match.going != advancing or key in before.changed_winners)
    ):
        kept_score = replace(score, advancing_seeds=match.going)
        row.matches = {**former_matches, format_match_name(key): kept_score.as_data()}
    elif before.seated_winners.get(key, advancing) != advancing:
        raise StageRefused(
            _(
                "The winners are already seated for the next round. Undo "
                "that draw first, or keep the current winner."
            )
        )
    elif begun_matches:
        _undo_later_matches(row, begun_matches, later)
    if row.matches == former_matches:
        return before
    row.save(update_fields=["matches"])
    _record_match_history(row, former_matches, key, by)
    return load_bracket(row)


def _undo_later_matches(row: Knockout, begun: Sequence[Key], later: str) -> None:
    """Remove the later scores if the director chose that; otherwise raise LaterMatchBegun."""
    if later != "take_back":
        raise LaterMatchBegun(
            _(
                "This changes the winner, but the next match (round "
                "%(round)s) has begun. Keep the earlier winner, or undo the "
                "later scores."
            )
            % {"round": begun[0][0]}
        )
    for match in begun:
        row.matches.pop(format_match_name(match), None)


@transaction.atomic
def restore_matches(*, event: Event, matches: Mapping[str, Any], by: Actor) -> None:
    """Undo a recorded match by restoring all matches as they were before."""
    event = _lock_event(event)
    row = Knockout.objects.select_for_update().filter(event=event).first()
    if row is None or row.matches == matches:
        return
    former_matches, row.matches = dict(row.matches), dict(matches)
    row.event = event
    row.save(update_fields=["matches"])
    changed_matches = {
        parse_match_name(name)
        for name in {*former_matches, *matches}
        if former_matches.get(name) != matches.get(name)
    }
    _record_match_history(row, former_matches, min(changed_matches), by)


@transaction.atomic
def create_plate(
    *, event: Event, round_: int, name: str, date: Date | None = None, by: Actor
) -> Event:
    """Create an event for the losers of a round of the bracket, in the order of their seeds.

    It has its own bracket; a Swiss consolation needs a Swiss movement instead. Idempotent.
    Raises StageRefused while a match of the round is open.
    """
    event = _lock_event(event)
    row = Knockout.objects.filter(event=event).first()
    if row is None:
        raise StageRefused(_("This event has no bracket."))
    row.event = event
    bracket = load_bracket(row)
    if not 1 <= round_ <= len(bracket.rounds):
        raise StageRefused(_("The bracket has no round %(round)s.") % {"round": round_})
    if any(match.winner is None for match in bracket.rounds[round_ - 1]):
        raise StageRefused(_("A match of round %(round)s is still open.") % {"round": round_})
    numbers = [row.seeds[seed - 1] for seed in list_losers(bracket.rounds, round_)]
    if len(numbers) < MIN_ENTRANTS:
        raise StageRefused(
            _("Fewer than two entries lost in round %(round)s.") % {"round": round_}
        )
    existing_plate = _find_existing_plate(event, name, date or event.date)
    if existing_plate is not None:
        return existing_plate
    entries_by_number = {entry.number: entry for entry in event.entries.all()}
    entries = [entries_by_number[number] for number in numbers]
    plate = copy_event(
        event=event,
        name=_choose_plate_name(event, name),
        date=date or event.date,
        entries=entries,
        by=by,
    )
    set_bracket(
        event=plate,
        seeds=list(range(1, len(entries) + 1)),
        segments=row.segments,
        seed_wins=row.seed_wins,
        three_way=row.three_way and can_replace_byes(len(entries)),
        by=by,
    )
    return plate


def _choose_plate_name(event: Event, name: str) -> str:
    return f"{event.name}: {name}"[:100]


def _find_existing_plate(event: Event, name: str, date: Date) -> Event | None:
    # Weekly events have the same name, and so have their plates.
    rows = Event.objects.filter(
        club=event.club, name=_choose_plate_name(event, name), date=date
    )
    return rows.filter(put_away_at=None, knockout__isnull=False).first()


def _record_match_history(
    row: Knockout, former_matches: Mapping[str, Any], key: Key, by: Actor
) -> None:
    name = format_match_name(key)
    first = build_bracket(len(row.seeds), three_way=row.three_way)[0]
    is_three = key in {(tie.round, tie.number) for tie in first if tie.third is not None}
    audit.record(
        by,
        "match.decided",
        subject=row.event,
        where={"round": key[0], "match": key[1]},
        before=_build_history_data(former_matches.get(name), is_three_way=is_three),
        after=_build_history_data(row.matches.get(name), is_three_way=is_three),
        back=Undo(BRACKET_SUBJECT, "knockout.matches", {"matches": dict(former_matches)}),
    )


def _read_bracket_arguments(arguments: Mapping[str, Any]) -> dict[str, Any]:
    three = {"three_way": True} if arguments["three_way"] else {}
    return {"entries": len(arguments["seeds"]), **three}


def _build_history_data(
    data: Mapping[str, Any] | None, *, is_three_way: bool
) -> dict[str, Any] | None:
    if data is None:
        return None
    score = read_score(data)
    if is_three_way and score.margins:
        return {"margins": [str(margin) for margin in score.margins]}
    return {"margin": str(score.total)} if score.margins or score.extra else {"by_hand": True}


def is_bracket_seated(event: Event, *, ignored_session: Session | None = None) -> bool:
    """Return whether matches of the event's bracket are seated, which fixes the bracket.

    The session `ignored_session` is ignored.
    """
    sections = Section.objects.filter(session__event=event, movement=DRAWN_KEY)
    options = sections.exclude(session=ignored_session).values_list("options", flat=True)
    return any((plan := read_plan(option)) and plan.knockout for option in options)


def _bracket_to_data(row: Knockout | None) -> dict[str, Any]:
    if row is None:
        return {}
    return {
        "seeds": row.seeds,
        "segments": row.segments,
        "seed_wins": row.seed_wins,
        "three_way": row.three_way,
        "matches": row.matches,
    }


def check_bracket(
    contest: str,
    known: Collection[int | None],
    seeds: Sequence[int],
    segments: int,
    *,
    three_way: bool = False,
) -> None:
    """Check the seeds of a bracket against the numbers of the entries; raise StageRefused."""
    if contest not in (Event.Contest.PAIRS, Event.Contest.TEAMS):
        raise StageRefused(_("A knock-out is for pairs and teams."))
    if not MIN_ENTRANTS <= len(seeds) <= MAX_ENTRANTS:
        raise StageRefused(
            _("A knock-out needs %(least)s to %(most)s entries.")
            % {"least": MIN_ENTRANTS, "most": MAX_ENTRANTS}
        )
    if not 1 <= segments <= 8:
        raise StageRefused(_("A match has 1 to 8 segments."))
    if len(set(seeds)) < len(seeds) or not set(known).issuperset(seeds):
        raise StageRefused(_("Each seed must be an entry's number, used once."))
    if three_way and contest != Event.Contest.TEAMS:
        raise StageRefused(
            _("Only teams can play three-way matches. Create the pairs' bracket with byes.")
        )
    if three_way and not can_replace_byes(len(seeds)):
        raise StageRefused(
            _(
                "%(entries)s teams fill the bracket, so there are no byes. "
                "Create it without three-way matches."
            )
            % {"entries": len(seeds)}
        )


def describe_wrong_margins(couples: int, score: MatchScore, segments: int) -> str:
    """Return a sentence about a wrong number of margins; "" if the number fits the match.

    `couples` is the number of pairings in the match: one, or three in a three-way match.
    """
    if len(score.margins) > segments * couples:
        message = ngettext(
            "A match has %(segments)s segment. Enter its margin.",
            "A match has %(segments)s segments. Enter a margin for each.",
            segments,
        )
        return message % {"segments": segments}
    if len(score.margins) % couples or len(score.extra) % couples:
        return _(
            "Enter three margins per segment: first against second, "
            "second against third, third against first."
        )
    return ""


def _find_match(bracket: Bracket, key: Key) -> KnockoutMatch:
    number, match_index = key
    if not 1 <= number <= len(bracket.rounds) or not 1 <= match_index <= len(
        bracket.rounds[number - 1]
    ):
        raise StageRefused(
            _("Match %(match)s of round %(round)s not found.")
            % {"match": match_index, "round": number}
        )
    match = bracket.rounds[number - 1][match_index - 1]
    if not match.can_be_played:
        raise StageRefused(_("The sides of that match aren't known yet."))
    return match


def _find_given_winners(
    bracket: Bracket, match: KnockoutMatch, winner: int | None, second: int | None
) -> tuple[int, ...]:
    """Return the seeds of the entries that advance by decision of the director."""
    named_winners = [seed for seed in (winner, second) if seed is not None]
    if len(set(named_winners)) != len(match.leads_to):
        raise StageRefused(
            _("Two go through from that match. Choose both.")
            if len(match.leads_to) > 1
            else _("One goes through from that match. Choose one.")
        )
    return tuple(_find_seed(bracket, match, named_winner) for named_winner in named_winners)


def _find_seed(bracket: Bracket, match: KnockoutMatch, number: int) -> int:
    for seed in match.sides:
        if bracket.find_entry(seed) == number:
            return seed
    raise StageRefused(_("Number %(number)s isn't in that match.") % {"number": number})


def _parse_tricks(text: str) -> Fraction:
    try:
        margin = parse_exact_number(text.replace("−", "-").replace("–", "-"))
    except ValueError:
        margin = Fraction(1000)
    if abs(margin) >= 1000 or len(str(margin)) > 20:
        raise StageRefused(
            _("“%(text)s” isn't a margin. Enter tricks, e.g. 5, −2 or 0.")
            % {"text": str(text)[:20]}
        )
    return margin


def _lock_event(event: Event) -> Event:
    # Two directors, or a double click, may submit the same page at once.
    rows = Event.objects.select_for_update(of=("self",)).select_related("club", "terms")
    return rows.get(pk=event.pk)
