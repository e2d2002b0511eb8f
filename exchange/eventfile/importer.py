"""Imports a whole event from an event file, in one transaction."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone

import boards.services
import clubs.services
import scoring.services
import tournaments.services
from boards.models import BoardSet
from clubs import audit
from clubs.audit import Actor, Undo
from clubs.models import Club, Evening, Player
from clubs.names.tidy import build_name_key
from clubs.services.people import load_players_by_key
from exchange.eventfile.reader import read_event_file
from exchange.eventfile.stage_rows import check_matches, write_field, write_stage
from exchange.eventfile.strays import exclude_met_boards, write_strays
from exchange.eventfile.values import (
    TERM_NAMES,
    EventFile,
    FiledEntry,
    FiledResult,
    FiledRuling,
    FiledSession,
)
from scoring.models import Outcome, Result, ResultVersion, Ruling
from scoring.session_queries import count_missing_results
from scoring.standings_engine import standings
from server.models import User
from server.public_versions import bump_versions_once
from tournaments.entry_words import join_entry_name
from tournaments.models import Entry, EntryPlayer, Event, Section, Session
from tournaments.seating_snapshot import build_withdrawn_options
from tournaments.services.entries import build_player, format_entry_name
from tournaments.services.sessions import create_session
from tournaments.services.trumps import analyse_every_suit
from tournaments.swiss.plan import SWISS, SwissPlan


@transaction.atomic
@bump_versions_once()
def import_event(
    *, document: bytes | str | Mapping[str, Any], club: Club | None = None, by: Actor
) -> Event:
    """Create an event from an event file; a second import creates a second event.

    Without `club`, the file names the club, which is created if it does not exist. Players are
    matched by name with the club's players. If all results are present, the session is closed.
    If some are present, it is opened. The standings are computed immediately. An event that
    uses congress features switches them on. Raises UnusableEventFile with every problem of the
    file before anything is written.
    """
    file = read_event_file(document)
    club = club or clubs.services.create_club(name=file.club, owner=None, by=by)
    event = _write_event(file, club, by)
    if not club.has_congress_features and event.uses_congress_features:
        clubs.services.set_congress_features(
            club=club, congress=True, used_by=event.name, by=by
        )
    return event


def _write_event(file: EventFile, club: Club, by: Actor) -> Event:
    """Create an event from the data of a file, followed by its finals if they were drawn."""
    event = scoring.services.create_event(
        club=club,
        name=file.name,
        date=file.date,
        contest=file.contest,
        method=file.method,
        most_points=file.most_points,
        standings_shown=file.standings_shown,
        paper_size=file.paper_size,
        by=by,
    )
    terms = event.terms
    for name in TERM_NAMES:
        setattr(terms, name, getattr(file, name))
    terms.tie_breaks = list(file.tie_breaks)
    terms.save()
    if file.trumps != event.trumps:
        tournaments.services.set_trumps(event=event, trumps=file.trumps, agreed=True, by=by)
        event.trumps = file.trumps
    if file.other_suits:
        tournaments.services.set_second_play(event=event, other_suits=True, by=by)
        event.other_suits = True
    entries = _write_entries(event, file, _find_or_create_players(club, file.players))
    write_field(event, file.field, entries)
    for filed in file.sessions:
        _write_session(event, filed, entries, by)
    if file.field.knockout is not None:
        check_matches(event)
    standings.update_standings(event)
    finals: list[Event] = []
    if file.field.stage is not None:
        finals = write_stage(event, file.field.stage, lambda it: _write_event(it, club, by))
    audit.record(
        by,
        "event.imported",
        subject=event,
        where={"name": file.name},
        after={
            "entries": len(entries),
            "results": sum(
                filed_session.entered_result_count for filed_session in file.sessions
            ),
        },
        way="file",
        back=Undo(
            ("event in lists",),
            "event.put_away",
            {"also": [final.pk for final in finals]} if finals else {},
        ),
    )
    return event


def _find_or_create_players(club: Club, names: Sequence[str]) -> dict[str, Player]:
    """Return the players with the given names by name; create those that the club lacks."""
    players_by_key = load_players_by_key(club)
    new = [
        build_player(club, name) for name in names if build_name_key(name) not in players_by_key
    ]
    new_players = Player.objects.bulk_create(new)
    return players_by_key | {build_name_key(player.name): player for player in new_players}


def _write_entries(
    event: Event, file: EventFile, players: Mapping[str, Player]
) -> dict[int, Entry]:
    new_entries = Entry.objects.bulk_create(
        Entry(
            event=event,
            number=entry.number,
            name=_name_entry(entry, players),
            stays_seated=entry.stays,
        )
        for entry in file.entries
    )
    entries = {entry.number: entry for entry in new_entries}
    EntryPlayer.objects.bulk_create(
        EntryPlayer(
            entry=entries[entry.number], player=players[build_name_key(name)], order=order
        )
        for entry in file.entries
        for order, name in enumerate(entry.players, start=1)
    )
    return entries


def _name_entry(entry: FiledEntry, players: Mapping[str, Player]) -> str:
    """Return the name of an entry; a name made from its players uses their display names."""
    if entry.name != join_entry_name(entry.players):
        return entry.name
    return format_entry_name([players[build_name_key(name)] for name in entry.players])


def _write_session(
    event: Event, filed: FiledSession, entries: Mapping[int, Entry], by: Actor
) -> None:
    session = _find_or_create_session(event, filed)
    for filed_section in filed.sections:
        section = tournaments.services.seat_section(
            session=session,
            movement=filed_section.movement,
            boards_a_round=filed.boards_a_round,
            options=filed_section.options,
            seating={place: entries[number] for place, number in filed_section.seating.items()},
            letter=filed_section.letter,
            by=by,
        )
        if filed_section.draw is not None:
            _enable_draws(section, filed_section.draw)
        if filed_section.withdrawn_places:
            section.options |= build_withdrawn_options(filed_section.withdrawn_places)
            section.save(update_fields=["options"])
        write_strays(section, filed_section.strays)
        _write_results(section, filed_section.results, by)
        _write_rulings(section, filed_section.rulings, entries, by)
        exclude_met_boards(section, filed_section.strays)
    session.refresh_from_db()
    session.event = event
    session.across_sections = filed.across_sections
    session.save(update_fields=["across_sections"])
    _write_deals(session, filed)
    if filed.entered_result_count:
        scoring.services.open_session(session=session, by=by)
    if filed.entered_result_count and _is_session_complete(session, filed):
        scoring.services.close_session(session=session, by=by)


def _enable_draws(section: Section, plan: SwissPlan) -> None:
    """Store the plan with which a section's further rounds are drawn.

    The file does not contain the inputs of earlier draws.
    """
    numbers = section.places.filter(entry__isnull=False).values_list("entry__number", flat=True)
    draw_options = {
        "round": 1,
        "seed": "",
        "method": str(plan.method),
        "kind": section.session.event.contest,
        "entries": [{"id": number, "score": "0"} for number in sorted(set(numbers))],
        "history": [],
        "apart": [],
    }
    first = {
        "input": draw_options,
        "pairings": [],
        "sit_out": [],
        "sha256": "",
        "objective": [],
    }
    section.movement = SWISS
    section.options = {SWISS: plan.as_data() | {"first": first}}
    section.save(update_fields=["movement", "options"])


def _is_session_complete(session: Session, filed: FiledSession) -> bool:
    """Return whether all results of a session are present.

    Entries that played stray boards have fewer boards to play. A board with a new deal needs
    a result for that deal.
    """
    if any(
        filed_section.draw and filed_section.draw.seated > filed_section.movement.rounds
        for filed_section in filed.sections
    ):
        return False  # some rounds of a drawn section are missing
    rulings = (ruling for filed_section in filed.sections for ruling in filed_section.rulings)
    is_anew = any(ruling.kind == Ruling.Kind.NEW_DEAL for ruling in rulings)
    if is_anew or any(filed_section.strays for filed_section in filed.sections):
        return not count_missing_results(session)
    return filed.entered_result_count == filed.expected_result_count


def _find_or_create_session(event: Event, filed: FiledSession) -> Session:
    """Return the session of the event that corresponds to a session of the file, with its date.

    The event's first session already exists.
    """
    date = filed.date or event.date
    file_session = event.sessions.filter(number=filed.number).first()
    if file_session is None:
        return create_session(event=event, number=filed.number, date=date)
    Evening.objects.filter(session=file_session).update(date=date)
    return file_session


def _write_deals(session: Session, filed: FiledSession) -> None:
    """Store the deals of a session of the file.

    A session that has results but no deals is marked as shuffled at the tables.
    """
    if filed.deals:
        groups = max(
            (filed_section.board_groups for filed_section in filed.sections), default=0
        )
        session.board_set = boards.services.import_board_set(
            name=str(session),
            deals=filed.deals,
            size=groups * filed.boards_a_round or max(filed.deals),
            source=BoardSet.Source.IMPORTED,
        )
        session.deals = Session.Deals.RECORDED
        analyse_every_suit(session.event, session.board_set)
    elif filed.entered_result_count:
        session.deals = Session.Deals.NONE
    session.save(update_fields=["board_set", "deals"])


def _write_results(section: Section, results: Sequence[FiledResult], by: Actor) -> None:
    """Store the results of a section and their first versions in bulk."""
    sittings = {(sitting.round, sitting.table): sitting for sitting in section.sittings.all()}
    new_results = Result.objects.bulk_create(
        Result(
            sitting=sittings[filed_result.round, filed_result.table],
            board=filed_result.board,
            deal=filed_result.deal,
            outcome=Outcome.PLAYED if filed_result.is_played else Outcome.NOT_PLAYED,
            ns_tricks=filed_result.ns_tricks,
            ns_points=filed_result.ns_points,
            ew_points=filed_result.ew_points,
            trump=filed_result.trump,
        )
        for filed_result in results
    )
    written_at = timezone.now()
    ResultVersion.objects.bulk_create(
        ResultVersion(
            result=result,
            number=1,
            outcome=result.outcome,
            ns_tricks=result.ns_tricks,
            ns_points=result.ns_points,
            ew_points=result.ew_points,
            trump=result.trump,
            user=by if isinstance(by, User) else None,
            by=audit.format_author_key(by),
            at=written_at,
            via=ResultVersion.Via.FILE,
        )
        for result in new_results
    )


_RULING_FIELDS = (
    *("side", "revokes", "won_before", "full", "ns_tricks", "ew_tricks", "amount"),
    *("trump_recorded", "trump_turned", "law", "situation", "reason", "claimed_at"),
)


def _write_rulings(
    section: Section, rulings: Sequence[FiledRuling], entries: Mapping[int, Entry], by: Actor
) -> None:
    """Store the rulings of a section; a board without a result gets an empty result first."""
    if not rulings:
        return
    sittings = {(each.round, each.table): each for each in section.sittings.all()}
    results = {
        (each.sitting_id, each.board, each.deal): each
        for each in Result.objects.filter(sitting__section=section)
    }
    for ruling in rulings:
        result = None
        if ruling.kind != Ruling.Kind.PENALTY:
            sitting = sittings[ruling.round, ruling.table]
            key = sitting.pk, ruling.board, ruling.deal
            result = results.get(key) or Result.objects.create(
                sitting=sitting, board=ruling.board, deal=ruling.deal, outcome=Outcome.CLEARED
            )
            results[key] = result
        Ruling.objects.create(
            session=section.session,
            result=result,
            entry=entries[ruling.entry] if result is None else None,
            kind=ruling.kind,
            user=by if isinstance(by, User) else None,
            made_by=audit.format_author_key(by),
            made_at=timezone.now(),
            **{name: getattr(ruling, name) for name in _RULING_FIELDS},
        )
