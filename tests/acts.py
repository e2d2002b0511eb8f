"""What directors do, each as one act, and the state that it changes."""

from collections.abc import Callable
from datetime import date
from typing import Any

import clubs.evenings.services
import hall.challenges.services
import hall.history.undo
import hall.phones.services
import hall.room.services
import scoring.services
import tournaments.services
from boards.models import Board
from boards.whist.dealing import make_deal
from clubs import audit
from clubs.models import Act as KeptAct
from clubs.models import Player, RoundClock, TableLink
from hall.room.clock import usual_pace
from scoring.models import Result, Ruling
from scoring.services.events import fields_of
from scoring.services.terms import terms_of
from server.models import User
from tests import evenings
from tournaments.models import EntryLink, Event, Session
from tournaments.movements import build
from tournaments.movements.changes import ways
from tournaments.movements.changes.incidents import WrongBoards
from tournaments.seating_snapshot import held_movement, snapshot

CLOCK = ("minutes", "moving", "started_at", "paused_at", "added", "added_moving")
Act = Callable[[Session, User], object]


def state_of(event: Event) -> dict[str, Any]:
    """All that acts change, but for what counts writes and says when."""
    event = Event.objects.get(pk=event.pk)
    return {
        "event": fields_of(event) | terms_of(event),
        "away": event.put_away_at is not None,
        "hours": event.club.correction_hours,
        "entries": [
            (each.number, each.name, members_of(each), each.stays_seated)
            for each in event.entries.order_by("number")
        ],
        "sessions": [of_session(each) for each in event.sessions.order_by("number")],
        "rulings": sorted(
            Ruling.objects.in_force().filter(session__event=event).values_list("kind", "reason")
        ),
        "players": sorted(event.club.players.values_list("name", "shown")),
        "table links": TableLink.objects.filter(revoked_at=None).count(),
        "entry links": EntryLink.objects.filter(revoked_at=None).count(),
    }


def members_of(entry: Any) -> list[str]:
    return [each.player.name for each in entry.memberships.order_by("order")]


def of_session(session: Session) -> dict[str, Any]:
    results = Result.objects.filter(sitting__section__session=session)
    time = RoundClock.objects.filter(evening=session.evening).first() or RoundClock(
        **usual_pace(session)._asdict()
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
        "seats": [by_number(snapshot(section)) for section in session.sections.all()],
        "clock": [getattr(time, name) for name in CLOCK],
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


def by_number(section: dict[str, Any]) -> dict[str, Any]:
    """Entries by number: one that was put back is another row."""
    numbers = dict(evenings.Event.objects.get().entries.values_list("pk", "number"))
    places = [[*row[:3], numbers.get(row[3])] for row in section["places"]]
    return section | {"places": places}


def newest(event: Event) -> KeptAct:
    return audit.history(event)[0]


def take_back(act: KeptAct, event: Event, user: User) -> KeptAct:
    hall.history.undo.take_back(event=event, act=act, by=user)
    return KeptAct.objects.get(undoes=act)


# What is done to an evening before play, in play and after it.


def edit(session: Session, by: User) -> object:
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


def show(session: Session, by: User) -> object:
    return tournaments.services.show_standings(event=session.event, shown="after", by=by)


def settle(session: Session, by: User) -> object:
    return scoring.services.settle_scoring(
        event=session.event, method="matchpoints", carry_over="1/2", across=[1], by=by
    )


def put_away(session: Session, by: User) -> object:
    return tournaments.services.put_away_event(event=session.event, by=by)


def enter(session: Session, by: User) -> object:
    names = ["Ada Newcomer", "Bob Newcomer"]
    return tournaments.services.enter(event=session.event, names=names, by=by)


def remove(session: Session, by: User) -> object:
    entry = session.event.entries.get(number=3)
    tournaments.services.wish_to_stay(entries=[entry], staying=[], by=by)
    return tournaments.services.remove_entry(entry=entry, by=by)


def rename(session: Session, by: User) -> object:
    entry = session.event.entries.get(number=2)
    return tournaments.services.rename_entry(entry=entry, names=["Uma Nu", "Vic Nu"], by=by)


def wish(session: Session, by: User) -> object:
    entries = list(session.event.entries.filter(number=1))
    return tournaments.services.wish_to_stay(entries=entries, staying=[1], by=by)


def seat(session: Session, by: User) -> object:
    pairs = session.event.entries.count()
    return tournaments.services.seat_section(
        session=session, movement=build("howell", pairs=pairs), boards_a_round=3, by=by
    )


def unseat(session: Session, by: User) -> object:
    return tournaments.services.unseat(session=session, by=by)


def draw(session: Session, by: User) -> object:
    section = session.sections.get()
    return tournaments.services.draw_seats(section=section, how="random", seed="7", by=by)


def order_boards(session: Session, by: User) -> object:
    return tournaments.services.prepare_boards(session=session, by=by)


def leave_out(session: Session, by: User) -> object:
    return tournaments.services.shuffle_at_table(session=session, by=by)


def type_deals(session: Session, by: User) -> object:
    deals = {number: make_deal(bytes(32), number) for number in (1, 2)}
    return tournaments.services.import_deals(session=session, deals=deals, by=by)


def date_session(session: Session, by: User) -> object:
    last = session.event.sessions.order_by("-number")[0]
    return tournaments.services.date_session(session=last, date=date(2026, 5, 5), by=by)


def add_session(session: Session, by: User) -> object:
    return tournaments.services.add_session(event=session.event, by=by)


def open_play(session: Session, by: User) -> object:
    return scoring.services.open_session(session=session, by=by)


def close_session(session: Session, by: User) -> object:
    return scoring.services.close_session(session=session, by=by)


def reopen(session: Session, by: User) -> object:
    return scoring.services.reopen_session(session=session, by=by)


def set_clock(session: Session, by: User) -> object:
    return clubs.evenings.services.set_clock(
        **evenings.on(session), minutes=21, moving=3, by=by
    )


def start_clock(session: Session, by: User) -> object:
    return hall.room.services.start_clock(session=session, by=by)


def add_minutes(session: Session, by: User) -> object:
    return hall.room.services.add_to_clock(session=session, minutes=4, by=by)


def penalty(session: Session, by: User) -> object:
    return scoring.services.make_ruling(
        kind=Ruling.Kind.PENALTY,
        entry=session.event.entries.get(number=1),
        session=session,
        amount=1,
        reason="late",
        by=by,
    )


def withdraw(session: Session, by: User) -> object:
    ruling = Ruling.objects.in_force().get()
    return scoring.services.withdraw_ruling(ruling=ruling, by=by)


def table_links(session: Session, by: User) -> object:
    return hall.phones.services.make_links(session=session, by=by)


def own_links(session: Session, by: User) -> object:
    return hall.challenges.services.make_entry_links(event=session.event, by=by)


def other_boards(session: Session, by: User) -> object:
    section = session.sections.get()
    change = WrongBoards(round=1, table=1, board_group=2)
    way = ways(held_movement(section), 1, change)[0]
    what = {"kind": "boards", "table": 1, "round": 1, "boards": "3–4"}
    return scoring.services.change_session(
        section=section, played=1, change=change, key=way.key, what=what, by=by
    )


def rename_player(session: Session, by: User) -> object:
    player = session.event.entries.get(number=1).players.first()
    assert player is not None
    return tournaments.services.rename_player(player=player, name="Quentin Query", by=by)


def merge(session: Session, by: User) -> object:
    gone = session.event.entries.get(number=1).players.first()
    assert gone is not None
    kept = Player.objects.create(club=session.event.club, name="Zuzana Same")
    return tournaments.services.merge_players(gone=gone, kept=kept, by=by)


PLANNED: dict[str, Act] = {
    "an event edited": edit,
    "what players see": show,
    "the scoring settled": settle,
    "an event put away": put_away,
    "a pair entered": enter,
    "a pair removed": remove,
    "a pair renamed": rename,
    "who stays seated": wish,
    "a movement chosen": seat,
    "a player renamed": rename_player,
}
SEATED: dict[str, Act] = {
    "another movement chosen": seat,
    "a movement taken back": unseat,
    "seats drawn": draw,
    "boards ordered": order_boards,
    "deals left to the tables": leave_out,
    "deals typed": type_deals,
    "a session added": add_session,
    "play opened": open_play,
    "links for the tables": table_links,
}
OPEN: dict[str, Act] = {
    "other boards played": other_boards,
    "the clock set": set_clock,
    "the clock started": start_clock,
    "a penalty": penalty,
    "addresses of their own": own_links,
    "the session closed": close_session,
    "what players see": show,
}
