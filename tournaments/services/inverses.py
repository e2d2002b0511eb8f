"""The undo actions. Each calls a service with the arguments stored when an act was recorded.

The keys of undo actions and the names of the stored arguments are in the history
(`clubs.audit.Undo`). They must therefore not change.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import date as Date
from typing import Any

from django.db.models import QuerySet

from boards.models import Board
from clubs.audit import Actor
from clubs.models import Club, Player
from clubs.undo import Inverse, build_row_inverse, get_existing_row
from tournaments.models import Entry, Event, SavedMovement, Section, Session
from tournaments.services.entries import delete_unused_players, rename_entry
from tournaments.services.events import archive_event, restore_event, set_standings_visibility
from tournaments.services.people import undo_import
from tournaments.services.players import (
    merge_players,
    remove_player,
    rename_player,
    restore_player,
    set_player_visibility,
    undo_merge,
)
from tournaments.services.saved_movements import delete_movement, save_movement
from tournaments.services.seating import restore_seats
from tournaments.services.seats import restore_places, set_stationary_wishes
from tournaments.services.second_play import set_second_play
from tournaments.services.session_boards import (
    cancel_board_request,
    restore_boards,
    set_table_shuffling,
    undo_or_restore_deals,
    undo_shuffle_decision,
)
from tournaments.services.sessions import remove_session, restore_session, set_session_date
from tournaments.services.trumps import set_trumps
from tournaments.services.withdrawals import remove_entry, restore_entry


def build_session_inverse(service: Callable[..., object]) -> Inverse:
    """Return an undo action that calls a service with the session whose key is stored."""
    return build_row_inverse(
        service, "session", lambda event: Session.objects.filter(event=event)
    )


def _get_entry(event: Event, pk: int) -> Entry:
    return get_existing_row(
        Entry.objects.filter(event=event).select_related("event__club"), pk=pk
    )


def _remove_entry(*, event: Event, by: Actor, entry: int, new: Sequence[int]) -> None:
    remove_entry(entry=_get_entry(event, entry), by=by)
    delete_unused_players(new)


def _rename_entry(
    *,
    event: Event,
    by: Actor,
    entry: int,
    names: Sequence[str],
    name: str,
    new: Sequence[int],
) -> None:
    rename_entry(entry=_get_entry(event, entry), names=names, name=name, by=by)
    delete_unused_players(new)


def _set_stationary_wish(*, event: Event, by: Actor, entry: int, stays: bool) -> None:
    stored_entry = _get_entry(event, entry)
    set_stationary_wishes(
        entries=[stored_entry], stationary_numbers=[stored_entry.number] if stays else [], by=by
    )


def _query_players(club: Club) -> QuerySet[Player]:
    return Player.objects.filter(club=club)


def _merge_players(*, club: Club, by: Actor, gone: int, kept: int) -> None:
    removed_player, kept_player = (
        get_existing_row(_query_players(club), pk=player_pk) for player_pk in (gone, kept)
    )
    merge_players(removed_player=removed_player, kept_player=kept_player, by=by)


def _delete_movement(*, club: Club, by: Actor, name: str) -> None:
    delete_movement(
        saved_movement=get_existing_row(SavedMovement.objects.filter(club=club), name=name),
        by=by,
    )


def _restore_trumps(*, event: Event, by: Actor, trumps: str) -> None:
    set_trumps(event=event, trumps=trumps, is_agreed=True, by=by)


def _restore_session(*, event: Event, by: Actor, date: str, **session_fields: int) -> None:
    restore_session(event=event, date=Date.fromisoformat(date), by=by, **session_fields)


def _set_session_date(*, date: str, **arguments: Any) -> None:
    set_session_date(date=Date.fromisoformat(date), **arguments)


def _restore_places(
    *,
    event: Event,
    by: Actor,
    session: int,
    letter: str,
    places: Sequence[Sequence[int | None]],
) -> None:
    sections = Section.objects.filter(session__event=event).select_related(
        "session__event__club"
    )
    section = get_existing_row(sections, session=session, letter=letter)
    restore_places(section=section, places=places, by=by)


def _undo_or_restore_deals(*, rows: Sequence[int], counts: bool, **arguments: Any) -> None:
    boards = list(Board.objects.filter(pk__in=rows).select_related("board_set"))
    undo_or_restore_deals(replaced_boards=boards, is_restored=counts, **arguments)


def _build_event_inverse(inverse: Inverse) -> Inverse:
    """Return an undo action of an event that calls an undo action of the event's club."""

    def call_service(*, event: Event, by: Actor, **arguments: Any) -> None:
        inverse(club=event.club, by=by, **arguments)

    return call_service


CLUB_INVERSES: Mapping[str, Inverse] = {
    "movement.drop": _delete_movement,
    "movement.save": save_movement,
    "people.put_back": undo_import,
    "player.merge": _merge_players,
    "player.part": build_row_inverse(undo_merge, "kept", _query_players),
    "player.put_back": restore_player,
    "player.remove": build_row_inverse(remove_player, "player", _query_players),
    "player.rename": build_row_inverse(rename_player, "player", _query_players),
    "player.show": build_row_inverse(set_player_visibility, "player", _query_players),
}

INVERSES: Mapping[str, Inverse] = {
    **{call: _build_event_inverse(inverse) for call, inverse in CLUB_INVERSES.items()},
    "boards.count_deals": build_session_inverse(_undo_or_restore_deals),
    "boards.decide_later": build_session_inverse(undo_shuffle_decision),
    "boards.leave_out": build_session_inverse(set_table_shuffling),
    "boards.set_aside": build_session_inverse(cancel_board_request),
    "boards.take_up": build_session_inverse(restore_boards),
    "entry.put_back": restore_entry,
    "entry.remove": _remove_entry,
    "entry.rename": _rename_entry,
    "event.bring_back": restore_event,
    "event.put_away": archive_event,
    "event.show": set_standings_visibility,
    "seats.places": _restore_places,
    "seats.put_back": build_session_inverse(restore_seats),
    "session.date": build_session_inverse(_set_session_date),
    "session.put_back": _restore_session,
    "session.remove": build_session_inverse(remove_session),
    "second_play.settle": set_second_play,
    "trumps.agree": _restore_trumps,
    "wish": _set_stationary_wish,
}
