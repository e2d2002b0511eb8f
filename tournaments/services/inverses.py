"""The inverses of acts: each is another act, called with the data stored by the first.

The names are stored in the history (`clubs.audit.Back`), so they must not change.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import date as Date
from typing import Any

from django.db.models import QuerySet

from boards.models import Board
from clubs.audit import Actor
from clubs.models import Club, Player
from clubs.undoing import Inverse, on_row, still_there
from tournaments.models import Entry, Event, SavedMovement, Section, Session
from tournaments.services.entries import forget, rename_entry
from tournaments.services.events import bring_back_event, put_away_event, show_standings
from tournaments.services.people import put_people_back
from tournaments.services.players import (
    merge_players,
    part_players,
    put_back_player,
    remove_player,
    rename_player,
    show_player,
)
from tournaments.services.saved import drop_movement, save_movement
from tournaments.services.seating import put_seats_back
from tournaments.services.seats import put_places_back, wish_to_stay
from tournaments.services.second_play import settle_second_play
from tournaments.services.session_boards import (
    count_deals,
    decide_later,
    set_boards_aside,
    shuffle_at_table,
    take_boards_up,
)
from tournaments.services.sessions import date_session, put_back_session, remove_session
from tournaments.services.trumps import agree_on_trumps
from tournaments.services.withdrawals import put_back_entry, remove_entry


def of_session(act: Callable[..., object]) -> Inverse:
    """Return an inverse that calls a service with the session whose key is stored."""
    return on_row(act, "session", lambda event: Session.objects.filter(event=event))


def _entry(event: Event, pk: int) -> Entry:
    return still_there(Entry.objects.filter(event=event).select_related("event__club"), pk=pk)


def _remove_entry(*, event: Event, by: Actor, entry: int, new: Sequence[int]) -> None:
    remove_entry(entry=_entry(event, entry), by=by)
    forget(new)


def _rename_entry(
    *,
    event: Event,
    by: Actor,
    entry: int,
    names: Sequence[str],
    name: str,
    new: Sequence[int],
) -> None:
    rename_entry(entry=_entry(event, entry), names=names, name=name, by=by)
    forget(new)


def _wish(*, event: Event, by: Actor, entry: int, stays: bool) -> None:
    one = _entry(event, entry)
    wish_to_stay(entries=[one], staying=[one.number] if stays else [], by=by)


def _players(club: Club) -> QuerySet[Player]:
    return Player.objects.filter(club=club)


def _merge_players(*, club: Club, by: Actor, gone: int, kept: int) -> None:
    first, second = (still_there(_players(club), pk=key) for key in (gone, kept))
    merge_players(gone=first, kept=second, by=by)


def _drop_movement(*, club: Club, by: Actor, name: str) -> None:
    drop_movement(saved=still_there(SavedMovement.objects.filter(club=club), name=name), by=by)


def _trumps(*, event: Event, by: Actor, trumps: str) -> None:
    agree_on_trumps(event=event, trumps=trumps, agreed=True, by=by)


def _put_back_session(*, event: Event, by: Actor, date: str, **kept: int) -> None:
    put_back_session(event=event, date=Date.fromisoformat(date), by=by, **kept)


def _date_session(*, date: str, **kept: Any) -> None:
    date_session(date=Date.fromisoformat(date), **kept)


def _put_places_back(
    *,
    event: Event,
    by: Actor,
    session: int,
    letter: str,
    places: Sequence[Sequence[int | None]],
) -> None:
    rows = Section.objects.filter(session__event=event).select_related("session__event__club")
    section = still_there(rows, session=session, letter=letter)
    put_places_back(section=section, places=places, by=by)


def _count_deals(*, rows: Sequence[int], **kept: Any) -> None:
    boards = list(Board.objects.filter(pk__in=rows).select_related("board_set"))
    count_deals(rows=boards, **kept)


def _in_event(inverse: Inverse) -> Inverse:
    """Call an inverse of the club from the history of one of its events."""

    def called(*, event: Event, by: Actor, **given: Any) -> None:
        inverse(club=event.club, by=by, **given)

    return called


CLUB_INVERSES: Mapping[str, Inverse] = {
    "movement.drop": _drop_movement,
    "movement.save": save_movement,
    "people.put_back": put_people_back,
    "player.merge": _merge_players,
    "player.part": on_row(part_players, "kept", _players),
    "player.put_back": put_back_player,
    "player.remove": on_row(remove_player, "player", _players),
    "player.rename": on_row(rename_player, "player", _players),
    "player.show": on_row(show_player, "player", _players),
}

INVERSES: Mapping[str, Inverse] = {
    **{call: _in_event(inverse) for call, inverse in CLUB_INVERSES.items()},
    "boards.count_deals": of_session(_count_deals),
    "boards.decide_later": of_session(decide_later),
    "boards.leave_out": of_session(shuffle_at_table),
    "boards.set_aside": of_session(set_boards_aside),
    "boards.take_up": of_session(take_boards_up),
    "entry.put_back": put_back_entry,
    "entry.remove": _remove_entry,
    "entry.rename": _rename_entry,
    "event.bring_back": bring_back_event,
    "event.put_away": put_away_event,
    "event.show": show_standings,
    "seats.places": _put_places_back,
    "seats.put_back": of_session(put_seats_back),
    "session.date": of_session(_date_session),
    "session.put_back": _put_back_session,
    "session.remove": of_session(remove_session),
    "second_play.settle": settle_second_play,
    "trumps.agree": _trumps,
    "wish": _wish,
}
