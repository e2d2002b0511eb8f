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
from clubs.services.people import load_players_by_name_key
from exchange.eventfile.reader import read_event_file
from exchange.eventfile.stage_rows import check_matches, write_prizes_and_stages, write_stage
from exchange.eventfile.strays import exclude_already_played_boards, write_stray_boards
from exchange.eventfile.values import (
    SCORING_TERM_NAMES,
    EventFile,
    EventFileEntry,
    EventFileResult,
    EventFileRuling,
    EventFileSession,
)
from scoring.models import Outcome, Result, ResultVersion, Ruling
from scoring.session_queries import count_missing_results
from scoring.standings_engine import standings
from server.models import User
from server.public_versions import batch_version_bumps
from tournaments.entry_words import join_player_names
from tournaments.models import Entry, EntryPlayer, Event, Section, Session
from tournaments.movements.drawn_rounds import DRAWN_MOVEMENT_NAME
from tournaments.seating_snapshot import build_withdrawal_options
from tournaments.services.entries import build_player, format_entry_name
from tournaments.services.sessions import create_session
from tournaments.services.trumps import queue_every_suit_analysis
from tournaments.swiss.plan import SwissPlan


@transaction.atomic
@batch_version_bumps()
def import_event(
    *, document: bytes | str | Mapping[str, Any], club: Club | None = None, by: Actor
) -> Event:
    """Create an event from an event file; a second import creates a second event.

    If `club` is None, a club with the name in the file is created. Players are matched by name
    with the club's players. If all results are present, the session is closed. If some are
    present, it is opened. The standings are computed immediately. An event that uses congress
    features switches them on for the club. Raises UnusableEventFile with every problem of the
    file before anything is written.
    """
    event_file = read_event_file(document)
    club = club or clubs.services.create_club(name=event_file.club_name, owner=None, by=by)
    event = _write_event(event_file, club, by)
    if not club.has_congress_features and event.uses_congress_features:
        clubs.services.set_congress_features(
            club=club, congress=True, used_by=event.name, by=by
        )
    return event


def _write_event(event_file: EventFile, club: Club, by: Actor) -> Event:
    """Create an event from the data of a file, then its finals if the file has them."""
    event = scoring.services.create_event(
        club=club,
        name=event_file.name,
        date=event_file.date,
        contest=event_file.contest_code,
        method=event_file.method,
        most_points=event_file.most_points,
        standings_shown=event_file.standings_shown,
        paper_size=event_file.paper_size,
        by=by,
    )
    terms = event.terms
    for name in SCORING_TERM_NAMES:
        setattr(terms, name, getattr(event_file, name))
    terms.tie_breaks = list(event_file.tie_breaks)
    terms.save()
    if event_file.trumps != event.trumps:
        tournaments.services.set_trumps(
            event=event, trumps=event_file.trumps, is_agreed=True, by=by
        )
        event.trumps = event_file.trumps
    if event_file.other_suits:
        tournaments.services.set_second_play(event=event, other_suits=True, by=by)
        event.other_suits = True
    entries_by_number = _write_entries(
        event, event_file, _find_or_create_players(club, event_file.players)
    )
    write_prizes_and_stages(event, event_file.prizes_and_stages, entries_by_number)
    for file_session in event_file.sessions:
        _write_session(event, file_session, entries_by_number, by)
    if event_file.prizes_and_stages.knockout_values is not None:
        check_matches(event)
    standings.update_standings(event)
    finals: list[Event] = []
    if event_file.prizes_and_stages.stage is not None:
        finals = write_stage(
            event,
            event_file.prizes_and_stages.stage,
            lambda final_file: _write_event(final_file, club, by),
        )
    audit.record(
        by,
        "event.imported",
        subject=event,
        where={"name": event_file.name},
        after={
            "entries": len(entries_by_number),
            "results": sum(
                file_session.entered_result_count for file_session in event_file.sessions
            ),
        },
        way="file",
        undo=Undo(
            ("event in lists",),
            "event.put_away",
            {"also": [final.pk for final in finals]} if finals else {},
        ),
    )
    return event


def _find_or_create_players(club: Club, player_names: Sequence[str]) -> dict[str, Player]:
    """Return the club's players by name key, after creating players for new names."""
    players_by_name_key = load_players_by_name_key(club)
    new_players = [
        build_player(club, name)
        for name in player_names
        if build_name_key(name) not in players_by_name_key
    ]
    created_players = Player.objects.bulk_create(new_players)
    return players_by_name_key | {
        build_name_key(player.name): player for player in created_players
    }


def _write_entries(
    event: Event, event_file: EventFile, players_by_name_key: Mapping[str, Player]
) -> dict[int, Entry]:
    new_entries = Entry.objects.bulk_create(
        Entry(
            event=event,
            number=entry.entry_number,
            name=_build_entry_name(entry, players_by_name_key),
            stays_seated=entry.needs_stationary_place,
        )
        for entry in event_file.entries
    )
    entries_by_number = {entry.number: entry for entry in new_entries}
    EntryPlayer.objects.bulk_create(
        EntryPlayer(
            entry=entries_by_number[entry.entry_number],
            player=players_by_name_key[build_name_key(name)],
            order=order,
        )
        for entry in event_file.entries
        for order, name in enumerate(entry.players, start=1)
    )
    return entries_by_number


def _build_entry_name(entry: EventFileEntry, players_by_name_key: Mapping[str, Player]) -> str:
    """Return the name in the file, or the joined display names of the entry's players.

    The display names are used if the name in the file consists of the players' names.
    """
    if entry.name != join_player_names(entry.players):
        return entry.name
    return format_entry_name(
        [players_by_name_key[build_name_key(name)] for name in entry.players]
    )


def _write_session(
    event: Event,
    file_session: EventFileSession,
    entries_by_number: Mapping[int, Entry],
    by: Actor,
) -> None:
    session = _find_or_create_session(event, file_session)
    for file_section in file_session.sections:
        section = tournaments.services.seat_section(
            session=session,
            movement=file_section.movement,
            boards_a_round=file_session.boards_per_round,
            options=file_section.options,
            entries_by_place={
                place_number: entries_by_number[entry_number]
                for place_number, entry_number in file_section.entry_numbers_by_place.items()
            },
            section_letter=file_section.section_letter,
            by=by,
        )
        if file_section.swiss_plan is not None:
            _enable_draws(section, file_section.swiss_plan)
        if file_section.first_missed_round_by_place:
            section.options |= build_withdrawal_options(
                file_section.first_missed_round_by_place
            )
            section.save(update_fields=["options"])
        write_stray_boards(section, file_section.stray_boards_by_table)
        _write_results(section, file_section.results, by)
        _write_rulings(section, file_section.rulings, entries_by_number, by)
        exclude_already_played_boards(section, file_section.stray_boards_by_table)
    session.refresh_from_db()
    session.event = event
    session.across_sections = file_session.across_sections
    session.save(update_fields=["across_sections"])
    _write_deals(session, file_session)
    if file_session.entered_result_count:
        scoring.services.open_session(session=session, by=by)
    if file_session.entered_result_count and _is_session_complete(session, file_session):
        scoring.services.close_session(session=session, by=by)


def _enable_draws(section: Section, plan: SwissPlan) -> None:
    """Store the plan with which a section's further rounds are drawn.

    The file does not contain the data of the rounds already drawn, so the first draw is stored
    without pairings.
    """
    entry_numbers = section.places.filter(entry__isnull=False).values_list(
        "entry__number", flat=True
    )
    draw_options = {
        "round": 1,
        "seed": "",
        "method": str(plan.method),
        "kind": section.session.event.contest,
        "entries": [
            {"id": entry_number, "score": "0"} for entry_number in sorted(set(entry_numbers))
        ],
        "history": [],
        "apart": [],
    }
    first_draw_data = {
        "input": draw_options,
        "pairings": [],
        "sit_out": [],
        "sha256": "",
        "objective": [],
    }
    section.movement = DRAWN_MOVEMENT_NAME
    section.options = {DRAWN_MOVEMENT_NAME: plan.as_data() | {"first": first_draw_data}}
    section.save(update_fields=["movement", "options"])


def _is_session_complete(session: Session, file_session: EventFileSession) -> bool:
    """Return whether all results of a session are present.

    An entry that played a board of another set by mistake has fewer boards to play. A board
    that was dealt again needs a result of the new deal.
    """
    if any(
        file_section.swiss_plan
        and file_section.swiss_plan.section_rounds > file_section.movement.round_count
        for file_section in file_session.sections
    ):
        return False  # some rounds of a drawn section are missing
    rulings = (
        ruling for file_section in file_session.sections for ruling in file_section.rulings
    )
    is_redealt = any(ruling.kind == Ruling.Kind.NEW_DEAL for ruling in rulings)
    if is_redealt or any(
        file_section.stray_boards_by_table for file_section in file_session.sections
    ):
        return not count_missing_results(session)
    return file_session.entered_result_count == file_session.expected_result_count


def _find_or_create_session(event: Event, file_session: EventFileSession) -> Session:
    """Return the event's session with the number and date of a session in the file.

    The session is created unless it is the event's first session, which already exists.
    """
    date = file_session.date or event.date
    existing_session = event.sessions.filter(number=file_session.session_number).first()
    if existing_session is None:
        return create_session(
            event=event, session_number=file_session.session_number, date=date
        )
    Evening.objects.filter(session=existing_session).update(date=date)
    return existing_session


def _write_deals(session: Session, file_session: EventFileSession) -> None:
    """Store the deals of a session of the file.

    A session that has results but no deals is marked as shuffled at the tables.
    """
    if file_session.deals_by_board:
        group_count = max(
            (file_section.board_group_count for file_section in file_session.sections),
            default=0,
        )
        session.board_set = boards.services.import_board_set(
            name=str(session),
            deals_by_board=file_session.deals_by_board,
            board_count=group_count * file_session.boards_per_round
            or max(file_session.deals_by_board),
            source=BoardSet.Source.IMPORTED,
        )
        session.deals = Session.DealsState.RECORDED
        queue_every_suit_analysis(session.event, session.board_set)
    elif file_session.entered_result_count:
        session.deals = Session.DealsState.NONE
    session.save(update_fields=["board_set", "deals"])


def _write_results(section: Section, results: Sequence[EventFileResult], by: Actor) -> None:
    """Store the results of a section and their first versions in bulk."""
    sittings_by_table = {
        (sitting.round, sitting.table): sitting for sitting in section.sittings.all()
    }
    new_results = Result.objects.bulk_create(
        Result(
            sitting=sittings_by_table[file_result.round_number, file_result.table_number],
            board=file_result.board_number,
            deal=file_result.deal_number,
            outcome=Outcome.PLAYED if file_result.is_played else Outcome.NOT_PLAYED,
            ns_tricks=file_result.ns_tricks,
            ns_points=file_result.ns_points,
            ew_points=file_result.ew_points,
            trump=file_result.trump,
        )
        for file_result in results
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
            via=ResultVersion.InputChannel.FILE,
        )
        for result in new_results
    )


_RULING_FIELDS = (
    *("side", "revokes", "won_before", "full", "ns_tricks", "ew_tricks", "amount"),
    *("trump_recorded", "trump_turned", "law", "situation", "reason", "claimed_at"),
)


def _write_rulings(
    section: Section,
    rulings: Sequence[EventFileRuling],
    entries_by_number: Mapping[int, Entry],
    by: Actor,
) -> None:
    """Store the rulings of a section; a board without a result gets an empty result first."""
    if not rulings:
        return
    sittings_by_table = {
        (sitting.round, sitting.table): sitting for sitting in section.sittings.all()
    }
    results_by_key = {
        (result.sitting_id, result.board, result.deal): result
        for result in Result.objects.filter(sitting__section=section)
    }
    for ruling in rulings:
        result = None
        if ruling.kind != Ruling.Kind.PENALTY:
            sitting = sittings_by_table[ruling.round, ruling.table]
            result_key = sitting.pk, ruling.board, ruling.deal
            result = results_by_key.get(result_key) or Result.objects.create(
                sitting=sitting, board=ruling.board, deal=ruling.deal, outcome=Outcome.CLEARED
            )
            results_by_key[result_key] = result
        Ruling.objects.create(
            session=section.session,
            result=result,
            entry=entries_by_number[ruling.entry] if result is None else None,
            kind=ruling.kind,
            user=by if isinstance(by, User) else None,
            made_by=audit.format_author_key(by),
            made_at=timezone.now(),
            **{name: getattr(ruling, name) for name in _RULING_FIELDS},
        )
