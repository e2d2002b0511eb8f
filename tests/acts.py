"""The acts of directors for tests, and snapshots of the state that each act changes."""

from collections.abc import Callable
from datetime import date
from functools import cache
from typing import Any

from django.apps import apps
from django.db import connection

import clubs.evenings.services
import clubs.services
import hall.challenges.services
import hall.helpers.services
import hall.history.undo
import hall.phones.services
import hall.rehearsal.services
import hall.room.services
import scoring.services
import tournaments.services
from boards.models import Board
from boards.whist import Play
from boards.whist.dealing import deal_board
from clubs import audit
from clubs.models import Act as KeptAct
from clubs.models import Club, Player, RoundClock, TableLink
from hall.models import HandLink, Rehearsal
from hall.room.clock import get_default_pace
from scoring.models import PlayRecord, Result, Ruling
from scoring.services.events import build_edit_arguments
from scoring.services.play_records import PlayContext, create_play_record
from scoring.services.terms import build_terms_arguments
from server.models import User
from tests import evenings
from tests.rooms import ROOMS
from tournaments.models import EntryLink, Event, Session, Sitting
from tournaments.movements import build_named_movement
from tournaments.movements.changes import list_continuations
from tournaments.movements.changes.incidents import WrongBoards
from tournaments.movements.systems.custom import build_rows
from tournaments.seating_snapshot import build_snapshot, load_movement

# Rows that stay after an undo: they are its trail, or are derived from other rows.
MODELS_NOT_UNDONE = {
    "Act",
    "Board",
    "BoardSet",
    "EntryFigures",
    "EntryLink",
    "EventTables",
    "Grade",
    "GradeCheckpoint",
    "GradeConstants",
    "GradeEvening",
    "GradeStep",
    "HandLink",
    "Job",
    "Paper",
    "PersonLink",
    "PlayRecord",
    "Ranking",
    "ResultVersion",
}
MODELS_NOT_UNDONE |= {
    "Ruling",
    "SeatingChange",
    "Standing",
    "StandingsVersion",
    "TableLink",
    "User",
}
MODELS_NOT_UNDONE |= {"ClubDay", "ClubWork", "PublicVersion", "Worker"}
# Rows that are rewritten with the same content, which `state_of` compares by number.
MODELS_COMPARED_BY_NUMBER = {"EntryPlayer", "Place", "Player", "Section", "Sitting"}
# Columns with counters, times, or keys of restored rows.
VOLATILE_FIELDS_BY_MODEL = {
    "Event": {"renamings", "put_away_at"},
    "RoundClock": {"id"},
    "SavedMovement": {"id"},
    "Section": {"stamp"},
    "Session": {"revision", "stamped", "opened_at", "set_aside"},
}
CLOCK_FIELDS = ("minutes", "moving", "started_at", "paused_at", "added", "added_moving")
Act = Callable[[Session, User], object]


def read_event_state(event: Event) -> dict[str, Any]:
    """Return everything about an event that acts change, for comparison before and after.

    Who recorded it and when is left out.
    """
    event = Event.objects.get(pk=event.pk)
    return {
        "event": build_edit_arguments(event) | build_terms_arguments(event),
        "away": event.put_away_at is not None,
        "entries": [
            (entry.number, entry.name, list_member_names(entry), entry.stays_seated)
            for entry in event.entries.order_by("number")
        ],
        "sessions": [
            read_session_state(session) for session in event.sessions.order_by("number")
        ],
        "rulings": sorted(
            Ruling.objects.exclude_withdrawn()
            .filter(session__event=event)
            .values_list("kind", "reason")
        ),
        "players": sorted(event.club.players.values_list("name", "shown")),
        "table links": TableLink.objects.filter(revoked_at=None).count(),
        "entry links": EntryLink.objects.filter(revoked_at=None).count(),
        "hand links": HandLink.objects.filter(revoked_at=None).count(),
        "rows": read_restorable_rows(),
    }


def read_club_state(club: Club) -> dict[str, Any]:
    """Return everything of a club that acts change, apart from its events."""
    return {
        "players": sorted(club.players.values_list("name", "shown")),
        "movements": sorted(club.movements.values_list("name", "rows")),
        "plays": sorted(PlayRecord.objects.exclude_undone().values_list("title", "cards")),
        "rows": read_restorable_rows(),
    }


def read_restorable_rows() -> dict[str, list[tuple[Any, ...]]]:
    """Return all rows that an undo restores, by model name, with all their values.

    They are read with raw SQL for speed: this runs after nearly every act.
    """
    rows = {}
    with connection.cursor() as cursor:
        for name, question in build_row_queries().items():
            cursor.execute(question)
            rows[name] = cursor.fetchall()
    return rows


@cache
def build_row_queries() -> dict[str, str]:
    """Return the query for the rows of each model, ordered by primary key."""
    actual = {}
    for model in (model for room in ROOMS for model in apps.get_app_config(room).get_models()):
        skipped_fields = VOLATILE_FIELDS_BY_MODEL.get(model.__name__, set())
        if model.__name__ in MODELS_NOT_UNDONE | MODELS_COMPARED_BY_NUMBER:
            continue
        columns = [
            f.column for f in model._meta.concrete_fields if f.name not in skipped_fields
        ]
        pk_column = model._meta.pk.column
        names = ", ".join(f'"{column}"' for column in columns)
        actual[model.__name__] = (
            f'SELECT {names} FROM "{model._meta.db_table}" ORDER BY "{pk_column}"'
        )
    return actual


def list_member_names(entry: Any) -> list[str]:
    return [membership.player.name for membership in entry.memberships.order_by("order")]


def read_session_state(session: Session) -> dict[str, Any]:
    results = Result.objects.filter(sitting__section__session=session)
    round_clock = RoundClock.objects.filter(evening=session.evening).first() or RoundClock(
        **get_default_pace(session)._asdict()
    )
    return {
        "fields": (session.number, session.day, session.state, session.deals),
        "closed": session.closed_at,
        "boards": (session.board_set_id, session.boards_a_round, session.across_sections),
        "cards": sorted(
            Board.objects.current()
            .filter(board_set=session.board_set)
            .values_list("number", "deal")
        ),
        "seats": [
            index_entries_by_number(build_snapshot(section), session.event)
            for section in session.sections.all()
        ],
        "strays": [
            *Sitting.objects.filter(section__session=session)
            .exclude(strays=[])
            .order_by("round", "table")
            .values_list("round", "table", "strays")
        ],
        "clock": [getattr(round_clock, name) for name in CLOCK_FIELDS],
        "results": sorted(
            (
                row.board,
                row.sitting.round,
                row.sitting.table,
                row.mark,
                row.doubt,
                row.agreement,
            )
            for row in results.select_related("sitting")
        ),
    }


def index_entries_by_number(section: dict[str, Any], event: Event) -> dict[str, Any]:
    """Return entries by number; an entry that was restored is a new row."""
    numbers = dict(event.entries.values_list("pk", "number"))
    places = [[*row[:3], numbers.get(row[3])] for row in section["places"]]
    return section | {"places": places}


def find_newest_act(event: Event) -> KeptAct:
    return audit.list_acts(event)[0]


def undo_act(act: KeptAct, event: Event, user: User) -> KeptAct:
    hall.history.undo.undo_event_act(event=event, act=act, by=user)
    return KeptAct.objects.get(undoes=act)


# Acts on an event before, during and after play.


def edit_event(session: Session, by: User) -> object:
    event = session.event
    return scoring.services.edit_event(
        event=event,
        name="Charity night",
        date=date(2026, 4, 1),
        method="tricks",
        standings_shown="never",
        paper_size="Letter",
        by=by,
    )


def hide_standings(session: Session, by: User) -> object:
    return tournaments.services.set_standings_visibility(
        event=session.event, shown="after", by=by
    )


def change_scoring(session: Session, by: User) -> object:
    return scoring.services.set_scoring_terms(
        event=session.event, method="matchpoints", carry_over="1/2", across=[1], by=by
    )


def change_trumps(session: Session, by: User) -> object:
    return tournaments.services.set_trumps(
        event=session.event, trumps="declared", is_agreed=True, by=by
    )


def archive_event(session: Session, by: User) -> object:
    return tournaments.services.archive_event(event=session.event, by=by)


def add_entry(session: Session, by: User) -> object:
    names = ["Ada Newcomer", "Bob Newcomer"]
    return tournaments.services.create_entry(event=session.event, names=names, by=by)


def remove_entry(session: Session, by: User) -> object:
    entry = session.event.entries.get(number=3)
    tournaments.services.set_stationary_wishes(entries=[entry], stationary_numbers=[], by=by)
    return tournaments.services.remove_entry(entry=entry, by=by)


def rename_entry(session: Session, by: User) -> object:
    entry = session.event.entries.get(number=2)
    return tournaments.services.rename_entry(entry=entry, names=["Uma Nu", "Vic Nu"], by=by)


def set_stationary_wishes(session: Session, by: User) -> object:
    entries = list(session.event.entries.filter(number=1))
    return tournaments.services.set_stationary_wishes(
        entries=entries, stationary_numbers=[1], by=by
    )


def seat_howell(session: Session, by: User) -> object:
    pairs = session.event.entries.count()
    return tournaments.services.seat_section(
        session=session,
        movement=build_named_movement("howell", pairs=pairs),
        boards_a_round=3,
        by=by,
    )


def remove_seating(session: Session, by: User) -> object:
    return tournaments.services.remove_seating(session=session, by=by)


def draw_random_seats(session: Session, by: User) -> object:
    section = session.sections.get()
    return tournaments.services.draw_seats(section=section, method="random", seed="7", by=by)


def request_dealing(session: Session, by: User) -> object:
    return tournaments.services.request_dealing(session=session, by=by)


def shuffle_at_table(session: Session, by: User) -> object:
    return tournaments.services.set_table_shuffling(session=session, by=by)


def enter_deals(session: Session, by: User) -> object:
    deals = {number: deal_board(bytes(32), number) for number in (1, 2)}
    return tournaments.services.import_deals(session=session, deals_by_board=deals, by=by)


def set_session_date(session: Session, by: User) -> object:
    last_session = session.event.sessions.order_by("-number")[0]
    return tournaments.services.set_session_date(
        session=last_session, date=date(2026, 5, 5), by=by
    )


def add_session(session: Session, by: User) -> object:
    return tournaments.services.add_session(event=session.event, by=by)


def open_session(session: Session, by: User) -> object:
    return scoring.services.open_session(session=session, by=by)


def close_session(session: Session, by: User) -> object:
    return scoring.services.close_session(session=session, by=by)


def reopen_session(session: Session, by: User) -> object:
    return scoring.services.reopen_session(session=session, by=by)


def set_clock(session: Session, by: User) -> object:
    return clubs.evenings.services.set_clock(
        **evenings.build_service_arguments(session), minutes=21, moving=3, by=by
    )


def start_clock(session: Session, by: User) -> object:
    return hall.room.services.start_clock(session=session, by=by)


def add_minutes(session: Session, by: User) -> object:
    return hall.room.services.add_minutes_to_clock(session=session, minutes=4, by=by)


def add_penalty(session: Session, by: User) -> object:
    return scoring.services.make_ruling(
        kind=Ruling.Kind.PENALTY,
        entry=session.event.entries.get(number=1),
        session=session,
        amount=1,
        reason="late",
        by=by,
    )


def withdraw_ruling(session: Session, by: User) -> object:
    ruling = Ruling.objects.exclude_withdrawn().get()
    return scoring.services.withdraw_ruling(ruling=ruling, by=by)


def create_table_links(session: Session, by: User) -> object:
    return hall.phones.services.create_table_links(session=session, by=by)


def create_entry_links(session: Session, by: User) -> object:
    return hall.challenges.services.create_entry_links(event=session.event, by=by)


def record_wrong_boards(session: Session, by: User) -> object:
    section = session.sections.get()
    change = WrongBoards(round=1, table=1, board_group=2)
    continuation = list_continuations(load_movement(section), 1, change)[0]
    incident_data = {"kind": "boards", "table": 1, "round": 1, "boards": "3–4"}
    return scoring.services.apply_seating_change(
        section=section,
        rounds_played=1,
        incident=change,
        continuation_key=continuation.key,
        incident_data=incident_data,
        by=by,
    )


def rename_player(session: Session, by: User) -> object:
    player = session.event.entries.get(number=1).players.first()
    assert player is not None
    return tournaments.services.rename_player(player=player, name="Quentin Query", by=by)


def merge_players(session: Session, by: User) -> object:
    player = session.event.entries.get(number=1).players.first()
    assert player is not None
    stored_player = Player.objects.create(club=session.event.club, name="Zuzana Same")
    return tournaments.services.merge_players(
        removed_player=player, kept_player=stored_player, by=by
    )


def create_hand_link(session: Session, by: User) -> object:
    return hall.helpers.services.create_hand_link(session=session, by=by)


def set_rehearsal_speed(session: Session, by: User) -> object:
    rehearsal = Rehearsal.objects.get(event=session.event)
    return hall.rehearsal.services.set_speed(rehearsal=rehearsal, speed=60, by=by)


# Acts on a club apart from its events.


def add_players_and_movement(club: Club, by: User) -> None:
    """Give a club two players and a movement of its own."""
    for name in ("Ann Pole", "Bo Low"):
        tournaments.services.add_player(club=club, name=name, by=by)
    rows = build_rows(build_named_movement("howell", pairs=4))
    tournaments.services.save_movement(
        club=club, name="Ours", contest="pairs", rows=rows, sharing=True, by=by
    )


def change_correction_hours(club: Club, by: User) -> object:
    return clubs.services.set_correction_hours(club=club, hours="3", by=by)


def change_club_appearance(club: Club, by: User) -> object:
    return clubs.services.set_club_appearance(
        club=club, short_name="Ours", accent="navy", by=by
    )


def switch_off_congress_features(club: Club, by: User) -> object:
    return clubs.services.set_congress_features(club=club, congress=False, by=by)


def place_tables(club: Club, by: User) -> object:
    places = {"1": (1, 2), "2": (1, 1)}
    return clubs.services.update_table_positions(club=club, positions_by_table=places, by=by)


def add_player(club: Club, by: User) -> object:
    return tournaments.services.add_player(club=club, name="Cy Dee", shown="initials", by=by)


def remove_player(club: Club, by: User) -> object:
    player = club.players.get(name="Ann Pole")
    return tournaments.services.remove_player(player=player, by=by)


def correct_player_name(club: Club, by: User) -> object:
    player = club.players.get(name="Ann Pole")
    return tournaments.services.rename_player(player=player, name="Anne Pole", by=by)


def hide_player(club: Club, by: User) -> object:
    player = club.players.get(name="Ann Pole")
    return tournaments.services.set_player_visibility(player=player, shown="nobody", by=by)


def merge_club_players(club: Club, by: User) -> object:
    player, stored_player = club.players.get(name="Ann Pole"), club.players.get(name="Bo Low")
    return tournaments.services.merge_players(
        removed_player=player, kept_player=stored_player, by=by
    )


def save_movement(club: Club, by: User) -> object:
    rows = build_rows(build_named_movement("howell", pairs=6))
    return tournaments.services.save_movement(
        club=club, name="Theirs", contest="pairs", rows=rows, sharing=True, by=by
    )


def overwrite_movement(club: Club, by: User) -> object:
    rows = build_rows(build_named_movement("howell", pairs=6))
    return tournaments.services.save_movement(
        club=club, name="Ours", contest="pairs", rows=rows, sharing=True, by=by
    )


def delete_movement(club: Club, by: User) -> object:
    return tournaments.services.delete_movement(saved_movement=club.movements.get(), by=by)


def record_play(club: Club, by: User) -> object:
    play_context = PlayContext(club=club, title="A hand from a book")
    deal = deal_board(bytes(32), 1)
    play = Play(deal).record_card(
        min(deal.hands[deal.dealer.left_neighbour], key=lambda card: card.code)
    )
    return create_play_record(context=play_context, play=play, by=by)


CLUB_ACTS: dict[str, Callable[[Club, User], object]] = {
    "the hours for corrections": change_correction_hours,
    "congress features switched off": switch_off_congress_features,
    "the look of the club": change_club_appearance,
    "the plan of the hall": place_tables,
    "a player added": add_player,
    "a player taken out": remove_player,
    "a player renamed": correct_player_name,
    "what everybody sees": hide_player,
    "two names made one": merge_club_players,
    "a movement saved": save_movement,
    "a movement saved over another": overwrite_movement,
    "a movement dropped": delete_movement,
    "a play of its own": record_play,
}
PLANNED_SESSION_ACTS: dict[str, Act] = {
    "an event edited": edit_event,
    "what players see": hide_standings,
    "the scoring settled": change_scoring,
    "what is trumps": change_trumps,
    "an event put away": archive_event,
    "a pair entered": add_entry,
    "a pair removed": remove_entry,
    "a pair renamed": rename_entry,
    "who stays seated": set_stationary_wishes,
    "a movement chosen": seat_howell,
    "a player renamed": rename_player,
}
SEATED_SESSION_ACTS: dict[str, Act] = {
    "another movement chosen": seat_howell,
    "a movement taken back": remove_seating,
    "seats drawn": draw_random_seats,
    "boards ordered": request_dealing,
    "deals left to the tables": shuffle_at_table,
    "deals typed": enter_deals,
    "a session added": add_session,
    "play opened": open_session,
    "links for the tables": create_table_links,
    "an address for helpers": create_hand_link,
}
OPEN_SESSION_ACTS: dict[str, Act] = {
    "other boards played": record_wrong_boards,
    "the clock set": set_clock,
    "the clock started": start_clock,
    "a penalty": add_penalty,
    "addresses of their own": create_entry_links,
    "the session closed": close_session,
    "what players see": hide_standings,
}

# The undo actions of each act and of its undo: the names of inverses.
UNDO_ACTIONS_BY_ACT: dict[str, tuple[str, str]] = {
    "add_minutes": ("clock", "clock"),
    "add_player": ("player.remove", "player.put_back"),
    "add_session": ("session.remove", "session.put_back"),
    "close_session": ("session.reopen", "session.close"),
    "set_session_date": ("session.date", "session.date"),
    "draw_random_seats": ("seats.places", "seats.places"),
    "delete_movement": ("movement.save", "movement.drop"),
    "edit_event": ("event.edit", "event.edit"),
    "add_entry": ("entry.remove", "entry.put_back"),
    "create_hand_link": ("hand_link.revoke", ""),
    "hide_player": ("player.show", "player.show"),
    "change_correction_hours": ("club.hours", "club.hours"),
    "change_club_appearance": ("club.look", "club.look"),
    "place_tables": ("club.room_plan", "club.room_plan"),
    "shuffle_at_table": ("boards.decide_later", "boards.leave_out"),
    "merge_club_players": ("player.part", "player.merge"),
    "open_session": ("session.unopen", "session.open"),
    "request_dealing": ("boards.set_aside", "boards.take_up"),
    "record_wrong_boards": ("seats.undo_change", "seats.repeat_change"),
    "create_entry_links": ("entry_links.revoke", ""),
    "add_penalty": ("ruling.withdraw", "ruling.make_again"),
    "archive_event": ("event.bring_back", "event.put_away"),
    "correct_player_name": ("player.rename", "player.rename"),
    "record_play": ("play.count", "play.count"),
    "remove_entry": ("entry.put_back", "entry.remove"),
    "remove_player": ("player.put_back", "player.remove"),
    "rename_entry": ("entry.rename", "entry.rename"),
    "rename_player": ("player.rename", "player.rename"),
    "reopen_session": ("session.close", "session.reopen"),
    "save_movement": ("movement.drop", "movement.save"),
    "overwrite_movement": ("movement.save", "movement.save"),
    "seat_howell": ("seats.put_back", "seats.put_back"),
    "set_clock": ("clock", "clock"),
    "change_scoring": ("scoring.settle", "scoring.settle"),
    "hide_standings": ("event.show", "event.show"),
    "set_rehearsal_speed": ("rehearsal.speed", "rehearsal.speed"),
    "start_clock": ("clock", "clock"),
    "create_table_links": ("links.revoke", ""),
    "change_trumps": ("trumps.agree", "trumps.agree"),
    "switch_off_congress_features": ("club.congress", "club.congress"),
    "enter_deals": ("boards.count_deals", "boards.count_deals"),
    "remove_seating": ("seats.put_back", "seats.put_back"),
    "set_stationary_wishes": ("wish", "wish"),
    "withdraw_ruling": ("ruling.make_again", "ruling.withdraw"),
}
